// Asks the page in frames, and sends what was found to /done. See page_test.go.
(async function () {
  "use strict";
  var found = { language: {}, stops: [], axe: [] };
  async function frame(source, width, height) {
    var f = document.createElement("iframe");
    f.style.cssText = "border:0;width:" + width + "px;height:" + height + "px";
    f.src = source;
    var loaded = new Promise(function (done) { f.onload = done; });
    document.body.appendChild(f);
    await loaded;
    return f;
  }
  async function until(what) {
    while (!what()) { await new Promise(function (done) { setTimeout(done, 20); }); }
  }
  async function open(d, id) {
    var fold = d.getElementById(id);
    fold.open = true;
    await until(function () { return fold.querySelector("[data-done]"); });
  }
  // Every stop of the keyboard is a link, a button, a fold, a text or something that scrolls.
  function stops(d, where) {
    d.querySelectorAll("*").forEach(function (e) {
      if (e.tabIndex < 0 || e.matches("a[href], button, summary, textarea") || e.scrollWidth > e.clientWidth) { return; }
      if (e.getClientRects().length > 0) { found.stops.push(where + ": a stop with nothing to do: " + e.outerHTML.slice(0, 120)); }
    });
    d.querySelectorAll("a:not([href]), [role=button]:not(button)").forEach(function (e) {
      if (!e.closest("svg")) { found.stops.push(where + ": nothing to do at " + e.outerHTML.slice(0, 120)); }
    });
  }
  async function examine(languages, theme) {
    var f = await frame("/asked?languages=" + languages, 1280, 900), d = f.contentDocument;
    d.querySelector("[data-set-theme=" + theme + "]").click();
    if (d.getElementById("m1-1-all")) { await open(d, "m1-1-all"); } // a page of one decision folds nothing
    await open(d, "m1-libraries");
    stops(d, languages);
    var result = await f.contentWindow.axe.run(d, { resultTypes: ["violations"] });
    result.violations.forEach(function (v) {
      if (v.impact === "serious" || v.impact === "critical") {
        found.axe.push(languages + ", " + theme + ": " + v.id + ": " + v.help + ", " + v.nodes.length + " times, first: " + v.nodes[0].html.slice(0, 200) + " " + v.nodes[0].failureSummary);
      }
    });
    f.remove();
  }
  try {
    var f = await frame("/report", 400, 700), d = f.contentDocument;
    found.nodes = d.querySelectorAll("*").length;
    found.wide = Math.max(d.documentElement.scrollWidth, d.body.scrollWidth);
    found.number = d.querySelector(".figures b").getBoundingClientRect().bottom;
    found.first = Math.max.apply(null, [".figures", ".trust", ".machine-line", ".command"].map(function (part) {
      return d.querySelector(part).getBoundingClientRect().bottom;
    }));
    stops(d, "400 pixels");
    f.contentWindow.location.hash = "#m1-n1";
    await until(function () { return d.getElementById("m1-n1"); });
    found.drawn = d.querySelectorAll("#m1-rows tbody tr").length;
    f.remove();
    for (var languages of ["en-US", "zh-CN", "fr-FR, zh-TW", "fr-FR"]) {
      f = await frame("/asked?languages=" + languages, 400, 700);
      found.language[languages] = f.contentDocument.documentElement.getAttribute("data-lang");
      f.remove();
    }
    for (var language of ["en-US", "zh-CN"]) {
      for (var theme of ["light", "dark"]) { await examine(language, theme); }
    }
  } catch (e) {
    found.fault = String(e && e.stack || e);
  }
  await fetch("/done", { method: "POST", body: JSON.stringify(found) });
})();
