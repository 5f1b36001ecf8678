// Follows the runs that go on. All text is set as text.
(function () {
  "use strict";
  var list = document.getElementById("live"), none = document.getElementById("none"), lost = document.getElementById("lost");
  function element(name, className, text) {
    var e = document.createElement(name);
    e.className = className;
    e.textContent = text;
    return e;
  }
  function draw(run) {
    var item = document.createElement("li"), bar = document.createElement("progress");
    bar.max = 100;
    bar.value = run.percent;
    bar.setAttribute("aria-label", run.title);
    item.append(element("h2", "", run.title), bar,
      element("p", "far", run.far), element("p", "caption", run.doing));
    return item;
  }
  var source = new EventSource(list.getAttribute("data-events"));
  source.onmessage = function (message) {
    var runs = JSON.parse(message.data);
    list.replaceChildren.apply(list, runs.map(draw));
    none.hidden = runs.length > 0;
    lost.hidden = true;
  };
  source.onerror = function () { lost.hidden = false; };
  source.onopen = function () { lost.hidden = true; };
})();
