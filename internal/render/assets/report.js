// Everything here is a convenience: the page reads and prints without it.
(function () {
  "use strict";
  var root = document.documentElement;
  var each = function (selector, act, within) {
    Array.prototype.forEach.call((within || document).querySelectorAll(selector), act);
  };

  // Switches for language and colours.
  function press(attribute, value) {
    each("[" + attribute + "]", function (b) {
      b.setAttribute("aria-pressed", String(b.getAttribute(attribute) === value));
    });
  }
  function setLang(lang) {
    root.setAttribute("data-lang", lang);
    root.lang = lang === "zh" ? "zh-Hans" : "en";
    press("data-set-lang", lang);
    each("[data-label-en]", function (e) {
      e.setAttribute("aria-label", e.getAttribute("data-label-" + lang));
    });
  }
  function setTheme(theme) {
    root.setAttribute("data-theme", theme);
    press("data-set-theme", theme);
  }
  each("[data-set-lang]", function (b) {
    b.addEventListener("click", function () { setLang(b.getAttribute("data-set-lang")); });
  });
  each("[data-set-theme]", function (b) {
    b.addEventListener("click", function () { setTheme(b.getAttribute("data-set-theme")); });
  });
  press("data-set-lang", root.getAttribute("data-lang"));
  press("data-set-theme", "auto");
  each(".tools", function (t) { t.hidden = false; });

  // Copying the Markdown. Pages opened from a file have no clipboard in some
  // browsers: then the text is selected and copied the old way, and where that
  // fails too it is left open and selected.
  var copy = document.querySelector("[data-copy]");
  function copied() {
    copy.classList.add("copied");
    setTimeout(function () { copy.classList.remove("copied"); }, 2000);
  }
  function copySelected(details, area) {
    details.open = true;
    area.focus();
    area.select();
    var done = false;
    try { done = document.execCommand("copy"); } catch (e) { done = false; }
    if (done) {
      details.open = false;
      copied();
    } else {
      details.scrollIntoView();
    }
  }
  copy.addEventListener("click", function () {
    var details = document.querySelector("#markdown details[lang='" + root.lang + "']");
    var area = details.querySelector("textarea");
    var old = function () { copySelected(details, area); };
    if (navigator.clipboard && navigator.clipboard.writeText) {
      navigator.clipboard.writeText(area.value).then(copied, old);
    } else {
      old();
    }
  });

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
  each("table.sortable", function (table) {
    each("thead th", function (head) {
      var column = head.cellIndex, button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () { sort(table, head, column); });
    }, table);
  });

  // A link into a folded table unfolds it; paper gets all of them unfolded.
  function unfold() {
    var id = decodeURIComponent(location.hash.slice(1));
    var target = id && document.getElementById(id);
    for (var e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") { e.open = true; }
    }
    if (target) { target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" }); }
  }
  window.addEventListener("hashchange", unfold);
  unfold();
  var folded = [];
  window.addEventListener("beforeprint", function () {
    each("details:not([open])", function (d) { folded.push(d); d.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (d) { d.open = false; });
    folded = [];
  });
})();
