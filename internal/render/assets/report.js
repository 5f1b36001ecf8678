// The page reads and prints without this. It chooses the language, draws what is opened,
// sorts and copies.
(function () {
  "use strict";
  var root = document.documentElement;
  var each = function (selector, act, within) {
    Array.prototype.forEach.call((within || document).querySelectorAll(selector), act);
  };

  // What the reader chose is kept where the browser allows it, which for pages opened
  // from a file not every one does.
  function kept(name) {
    try { return localStorage.getItem("cryptogauge-" + name); } catch (e) { return null; }
  }
  function keep(name, value) {
    try { localStorage.setItem("cryptogauge-" + name, value); } catch (e) { return; }
  }
  // The language that was asked for when the page was written; else the reader's choice, the
  // first of the browser's languages that the page has, the language in which it was written.
  function preferred() {
    if (root.hasAttribute("data-typed")) { return root.getAttribute("data-lang"); }
    var wanted = [kept("lang")].concat(navigator.languages || [navigator.language]);
    for (var i = 0; i < wanted.length; i++) {
      var known = /^(en|zh)/i.exec(wanted[i] || "");
      if (known) { return known[1].toLowerCase(); }
    }
    return root.getAttribute("data-lang");
  }

  function press(attribute, value) {
    each("[" + attribute + "]", function (b) {
      b.setAttribute("aria-pressed", String(b.getAttribute(attribute) === value));
    });
  }
  function label(within) {
    var lang = root.getAttribute("data-lang");
    each("[data-label-en]", function (e) {
      e.setAttribute("aria-label", e.getAttribute("data-label-" + lang));
    }, within);
  }
  function setLang(lang) {
    root.setAttribute("data-lang", lang);
    root.lang = lang === "zh" ? "zh-Hans" : "en";
    press("data-set-lang", lang);
    label(document);
    each("h1", function (h) {
      document.title = h.getAttribute(lang === "zh" ? "data-title-zh" : "data-title") + " · cryptogauge";
    });
    reach();
  }
  function setTheme(theme) {
    root.setAttribute("data-theme", theme);
    press("data-set-theme", theme);
  }

  // The keyboard stops at a table only where it is wider than its place.
  function reach() {
    each(".scroll, pre", function (s) {
      if (s.scrollWidth > s.clientWidth) { s.tabIndex = 0; } else { s.removeAttribute("tabindex"); }
    });
  }

  // What is folded away is drawn when it is opened.
  var unpacking = null;
  // ASCII85: five characters are four bytes, the last group's may be fewer, z is four zeros.
  function decoded(text) {
    var whole = text.replace(/z/g, "!!!!!"), lack = (5 - whole.length % 5) % 5, bytes = [];
    whole += "uuuu".slice(0, lack);
    for (var i = 0; i < whole.length; i += 5) {
      for (var value = 0, j = i; j < i + 5; j++) { value = value * 85 + whole.charCodeAt(j) - 33; }
      bytes.push(value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255);
    }
    return new Uint8Array(bytes.slice(0, bytes.length - lack));
  }
  function unpacked() {
    unpacking = unpacking || Promise.resolve().then(function () {
      var bytes = decoded(document.getElementById("folded").textContent.replace(/v/g, "<"));
      return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
    });
    return unpacking;
  }
  function draw(fold) {
    var place = fold.querySelector(".drawn");
    if (place.hasAttribute("data-done")) { return Promise.resolve(); }
    return unpacked().then(function (all) {
      if (place.hasAttribute("data-done")) { return; }
      place.setAttribute("data-done", "");
      if (fold.id === "markdown") { return drawMarkdown(place, all.markdown); }
      place.innerHTML = all.fragments[fold.id];
      label(place);
      each("table.sortable", sortable, place);
      reach();
    });
  }
  function drawMarkdown(place, lines) {
    place.textContent = "";
    ["en", "zh-Hans"].forEach(function (lang, i) {
      var area = document.createElement("textarea");
      area.lang = lang;
      area.readOnly = true;
      area.rows = 16;
      area.setAttribute("aria-label", "Markdown");
      area.value = lines.map(function (l) { return l[i]; }).join("");
      place.appendChild(area);
    });
  }
  function open(fold) {
    fold.open = true;
    return draw(fold);
  }

  // Copying. Pages opened from a file have no clipboard in some browsers: then the text
  // is left selected.
  function copied(button) {
    button.classList.add("copied");
    setTimeout(function () { button.classList.remove("copied"); }, 2000);
  }
  function write(text) {
    return navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard"));
  }
  function copyMarkdown(button) {
    var fold = document.getElementById("markdown");
    draw(fold).then(function () {
      var area = fold.querySelector("textarea[lang='" + root.lang + "']");
      return write(area.value).then(function () { copied(button); }, function () {
        fold.open = true;
        area.focus();
        area.select();
        fold.scrollIntoView();
      });
    });
  }
  function copyCommand(button) {
    var code = button.previousElementSibling;
    write(code.textContent).then(function () { copied(button); }, function () { getSelection().selectAllChildren(code); });
  }

  // Sorting. Rows without a value stay last whichever way it goes.
  function keyOf(row, column) {
    var cell = row.cells[column];
    var key = cell.getAttribute("data-key");
    if (key !== null) { return parseFloat(key); }
    return cell.classList.contains("num") ? NaN : cell.textContent.trim();
  }
  function order(a, b) {
    if (typeof a === "number" && typeof b === "number") { return a - b; }
    return String(a).localeCompare(String(b), undefined, { numeric: true });
  }
  function sort(table, head, column) {
    var down = head.getAttribute("aria-sort") === "ascending";
    each("thead th", function (h) { h.removeAttribute("aria-sort"); }, table);
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row, at) {
      return { row: row, key: keyOf(row, column), at: at };
    });
    rows.sort(function (a, b) {
      var noA = a.key !== a.key || a.key === "", noB = b.key !== b.key || b.key === "";
      if (noA || noB) { return noA - noB || a.at - b.at; }
      return (down ? -order(a.key, b.key) : order(a.key, b.key)) || a.at - b.at;
    });
    rows.forEach(function (r) { body.appendChild(r.row); });
  }
  function sortable(table) {
    each("thead th", function (head) {
      var column = head.cellIndex, button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () { sort(table, head, column); });
    }, table);
  }

  // A link to what is folded away draws and opens it.
  function follow() {
    var id = decodeURIComponent(location.hash.slice(1));
    if (!id) { return; }
    var whole = !document.getElementById("folded"); // everything stands on the page
    var drawn = whole || document.getElementById(id) ? Promise.resolve() : unpacked().then(function (all) {
      var holder = Object.keys(all.fragments).find(function (k) { return all.fragments[k].indexOf(' id="' + id + '"') >= 0; });
      return holder && open(document.getElementById(holder));
    });
    drawn.then(function () {
      var target = document.getElementById(id);
      for (var e = target; e; e = e.parentElement) {
        if (e.tagName === "DETAILS") { e.open = true; }
      }
      if (target) { target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" }); }
    });
  }

  setLang(preferred());
  document.addEventListener("DOMContentLoaded", function () {
    setLang(root.getAttribute("data-lang"));
    setTheme("auto");
    each("[data-set-lang]", function (b) {
      b.addEventListener("click", function () {
        keep("lang", b.getAttribute("data-set-lang"));
        setLang(b.getAttribute("data-set-lang"));
      });
    });
    each("[data-set-theme]", function (b) {
      b.addEventListener("click", function () { setTheme(b.getAttribute("data-set-theme")); });
    });
    each("[data-copy]", function (b) {
      if (b.getAttribute("data-copy") === "markdown" && !document.getElementById("folded")) { return; }
      var act = b.getAttribute("data-copy") === "markdown" ? copyMarkdown : copyCommand;
      b.hidden = false;
      b.addEventListener("click", function () { act(b); });
    });
    each(".tools", function (t) { t.hidden = false; });
    each("details.fold", function (fold) {
      fold.addEventListener("toggle", function () { if (fold.open) { draw(fold); } });
    });
    each("details[data-open]", open);
    each(".drawn table.sortable", sortable);
    window.addEventListener("hashchange", follow);
    window.addEventListener("resize", reach);
    follow();
  });
})();
