"use strict";
(() => {
  const MOST = 2000;
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const body = document.body;
  const marks = data.settings.length > 1 ? ["a", "b"] : ["a"];
  const detail = $("detail");
  const narrow = matchMedia("(max-width: 64rem)");
  let current = null;
  let query = "";
  let places = [];

  const chunk = (at) => data.documents[at.d].sides[at.s][at.k];
  const head = (at) => $(`d${at.d}-${marks[at.s]}${at.k}`);
  const shown = (s) => body.dataset.show.includes(marks[s]);
  const parts = (at) => $(`d${at.d}`).querySelectorAll(`.s[data-${marks[at.s]}~="${at.k}"]`);

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  // The pieces of what is embedded, with the class that shades each.
  function embedded(at) {
    const it = chunk(at);
    const source = data.documents[at.d].source;
    const [start, own, end] = it.at;
    const text = it.text === undefined
      ? [["repeat", source.slice(start, own)], ["", source.slice(own, end)]]
      : [["", it.text]];
    return [["context", it.prefix], ...text, ["context", it.suffix]].filter((piece) => piece[1]);
  }

  function pattern() {
    return new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi");
  }

  function fill(element, text) {
    if (!query) {
      element.append(text);
      return element;
    }
    let done = 0;
    for (const match of text.matchAll(pattern())) {
      element.append(text.slice(done, match.index), make("mark", {}, match[0]));
      done = match.index + match[0].length;
    }
    element.append(text.slice(done));
    return element;
  }

  function facts(at) {
    const it = chunk(at);
    const { limit, unit } = data.settings[at.s];
    const rows = [
      ["size", `${it.size} of ${limit} ${unit} (${Math.round((100 * it.size) / limit)} %)`],
      ["lines", `${it.lines[0]}–${it.lines[1]}`],
      ["under", it.headings.join(" › ") || "no heading"],
      ["holds", it.kinds.join(", ")],
      ["ended by", it.cut],
      ["id", it.id],
    ];
    return make("dl", {}, ...rows.flatMap(([name, value]) => [
      make("dt", { textContent: name }), make("dd", { textContent: value }),
    ]));
  }

  function bar(at) {
    const share = chunk(at).size / data.settings[at.s].limit;
    const inner = make("i", {});
    inner.style.width = `${Math.min(100, 100 * share)}%`;
    const outer = make("div", { className: share > 1 ? "bar over" : "bar" }, inner);
    outer.setAttribute("aria-hidden", "true");
    return outer;
  }

  function name(at) {
    const side = marks.length > 1 ? `${marks[at.s].toUpperCase()}: ` : "";
    return `${side}Chunk ${at.k + 1} of ${data.documents[at.d].sides[at.s].length}`;
  }

  function legend(pieces) {
    const names = { context: "context", repeat: "overlap" };
    const there = Object.keys(names).filter((key) => pieces.some((piece) => piece[0] === key));
    return make("p", { className: "legend" }, ...there.map(
      (key) => make("span", { className: key, textContent: names[key] }),
    ));
  }

  // The places at which this chunk could have been cut, with their worths.
  function others(at) {
    const [, own, end] = chunk(at).at;
    const inside = data.documents[at.d].places[at.s].filter((place) => own < place[0] && place[0] < end);
    if (!inside.length) return "";
    const head = ["line", "place", "worth"].map((text) => make("th", { textContent: text, scope: "col" }));
    const rows = inside.map(([, ...cells]) => make("tr", {}, ...cells.map((cell) => make("td", { textContent: cell }))));
    return make(
      "details", {}, make("summary", { textContent: `Places inside: ${inside.length}` }),
      make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)),
    );
  }

  function draw(at) {
    const pieces = embedded(at);
    const text = make("pre", { tabIndex: 0 });
    text.setAttribute("aria-label", "Text as it is embedded");
    for (const [kind, piece] of pieces) text.append(fill(make("span", { className: kind }), piece));
    $(`panel-${marks[at.s]}`).replaceChildren(
      make("h2", { textContent: `${name(at)}, as it is embedded` }), bar(at), facts(at), legend(pieces), text, others(at),
    );
    if (at.s === 0 || !shown(0)) {
      $("headline").textContent = `${name(at)}: ${chunk(at).size} of ${data.settings[at.s].limit}`;
    }
  }

  // Another setting's chunk is drawn for the place that the first one was chosen at.
  function beside(at) {
    for (let s = 0; s < marks.length; s++) {
      if (s === at.s) continue;
      const own = chunk(at).at[1];
      const k = data.documents[at.d].sides[s].findIndex((it) => it.at[1] <= own && own < it.at[2]);
      if (k >= 0) draw({ d: at.d, s, k });
    }
    draw(at);
  }

  function unmark() {
    for (const element of document.querySelectorAll(".on, .onb")) element.classList.remove("on", "onb");
  }

  function select(at, { focus = false, scroll = false } = {}) {
    unmark();
    current = at;
    head(at).classList.add("on");
    for (const part of parts(at)) part.classList.add(marks[at.s] === "a" ? "on" : "onb");
    beside(at);
    if (scroll) head(at).scrollIntoView({ block: "nearest" });
    if (focus) head(at).querySelector("button").focus({ preventScroll: true });
    const it = chunk(at);
    $("said").textContent = `${name(at)}, lines ${it.lines[0]} to ${it.lines[1]}, size ${it.size}`;
    light();
    if ($("documents")) $("documents").value = `d${at.d}`;
  }

  function release() {
    unmark();
    current = null;
  }

  function step(by) {
    const s = current ? current.s : shown(0) ? 0 : 1;
    let { d, k } = current || { d: 0, k: by > 0 ? -1 : 0 };
    k += by;
    while (d >= 0 && d < data.documents.length) {
      const count = data.documents[d].sides[s].length;
      if (k >= 0 && k < count) return select({ d, s, k }, { focus: true, scroll: true });
      d += by;
      k = by > 0 ? 0 : d >= 0 ? data.documents[d].sides[s].length - 1 : 0;
    }
  }

  function owner(part, s) {
    const own = part.dataset[marks[s]];
    return own ? Number(own.split(" ")[0]) : -1;
  }

  function under(target) {
    const element = target.closest?.(".s, .head");
    if (!element) return [];
    const d = Number(element.closest(".doc").id.slice(1));
    if (element.classList.contains("head")) {
      return [{ d, s: marks.findIndex((m) => element.classList.contains(m)), k: Number(element.dataset.k) }];
    }
    return marks.map((_, s) => ({ d, s, k: owner(element, s) })).filter((at) => at.k >= 0 && shown(at.s));
  }

  // Searching

  function search() {
    query = $("q").value.trim();
    const wanted = query.toLowerCase();
    const s = shown(0) ? 0 : 1;
    places = [];
    if (wanted) {
      data.documents.forEach((it, d) => {
        const lower = it.lowered ??= it.source.toLowerCase();
        const same = lower.length === it.source.length;
        const none = same && !lower.includes(wanted);
        it.sides[s].forEach((each, k) => {
          const own = same ? lower.slice(each.at[1], each.at[2]) : it.source.slice(each.at[1], each.at[2]).toLowerCase();
          const where = `${each.id}\n${each.headings.join("\n")}`.toLowerCase();
          if ((!none && own.includes(wanted)) || where.includes(wanted)) places.push({ d, s, k });
        });
      });
    }
    $("found").textContent = wanted && !places.length ? "0 chunks" : "";
    $("moves").hidden = !places.length;
    const here = current ? places.findIndex((at) => order(at) >= order(current)) : 0;
    if (places.length) go(places[Math.max(0, here)]);
    else light();
  }

  const order = (at) => at.d * 1e7 + at.k;

  function go(found) {
    select(found, { scroll: true });
    $("found").textContent = `${places.indexOf(found) + 1} of ${places.length}`;
  }

  function next(by) {
    if (!places.length) return;
    const here = current ? order(current) : by > 0 ? -1 : Infinity;
    go(by > 0
      ? places.find((at) => order(at) > here) ?? places[0]
      : places.findLast((at) => order(at) < here) ?? places.at(-1));
  }

  // The places found are lit in the chunk that is chosen and in those next in the list.
  function light() {
    if (!window.Highlight) return;
    CSS.highlights.delete("found");
    if (!query || !places.length) return;
    const ranges = [];
    for (const at of current && places.length > 50 ? [current] : places.slice(0, 50)) {
      for (const part of parts(at)) {
        const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node && ranges.length < MOST; node = walk.nextNode()) {
          if (node.parentElement.closest(".m")) continue;
          for (const match of node.data.matchAll(pattern())) {
            const range = new Range();
            range.setStart(node, match.index);
            range.setEnd(node, match.index + match[0].length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  }

  // Light and dark

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { $("theme").textContent = isDark() ? "Light" : "Dark"; };

  function turn() {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("mdchunk-theme", document.documentElement.dataset.theme); } catch { /* a file may have no store */ }
    label();
  }

  try {
    const kept = localStorage.getItem("mdchunk-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch { /* a file may have no store */ }
  label();
  dark.addEventListener("change", label);
  $("theme").addEventListener("click", turn);

  // Pointer and keys

  $("main").addEventListener("pointerover", (event) => {
    if (!current && event.pointerType === "mouse") under(event.target).reverse().forEach(draw);
  });
  $("main").addEventListener("click", (event) => {
    if (!document.getSelection().isCollapsed) return;
    const [at] = under(event.target);
    if (at) select(at);
  });
  $("q").addEventListener("input", () => { clearTimeout(search.wait); search.wait = setTimeout(search, 120); });
  $("back").addEventListener("click", () => next(-1));
  $("onward").addEventListener("click", () => next(1));
  $("documents")?.addEventListener("change", (event) => $(event.target.value).scrollIntoView());
  $("show")?.addEventListener("change", (event) => {
    body.dataset.show = event.target.value;
    if (current && !shown(current.s)) release();
    if (query) search();
  });

  const KEYS = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };
  const FOCUSED = { ArrowDown: 1, ArrowUp: -1 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    if (target.matches("input, select")) {
      if (target.id === "q" && key === "Enter") {
        clearTimeout(search.wait);
        if (target.value.trim() !== query) search();
        else next(event.shiftKey ? -1 : 1);
      }
      if (target.id === "q" && key === "Escape") target.blur();
      return;
    }
    const by = KEYS[key] ?? (target.matches(".go") ? FOCUSED[key] : undefined);
    if (by) step(by);
    else if (key === "/") $("q").focus();
    else if (key === "t") turn();
    else if (key === "Escape") release();
    else return;
    event.preventDefault();
  });

  if (narrow.matches) detail.open = false;
  for (let s = 0; s < marks.length; s++) {
    const d = data.documents.findIndex((it) => it.sides[s].length);
    if (d >= 0) draw({ d, s, k: 0 });
  }
})();
