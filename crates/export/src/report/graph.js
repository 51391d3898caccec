// Walking around in the graph of a requirement.
(() => {
  const graph = document.querySelector(".graph");
  // It may be too large to be drawn.
  if (!graph) return;
  const svg = graph.querySelector("svg");
  const [aside, tip] = [graph.querySelector("aside"), graph.querySelector(".tip")];
  const all = svg.viewBox.baseVal;
  const whole = { x: all.x, y: all.y, width: all.width, height: all.height };
  const states = [...svg.querySelectorAll(".state")];
  const arrows = [...svg.querySelectorAll(".arrow")];

  // What the titles say is shown by the page, at once; the browser's own hints would cover it.
  const texts = new Map();
  for (const element of [...states, ...arrows]) {
    const title = element.querySelector("title");
    texts.set(element, title.textContent);
    title.remove();
  }
  // Thin lines are hard to hit.
  for (const arrow of arrows) {
    const line = arrow.querySelector(".line");
    const hit = line.cloneNode();
    hit.setAttribute("class", "hit");
    line.before(hit);
  }
  for (const state of states) {
    state.setAttribute("tabindex", "0");
    state.addEventListener("keydown", (event) => { if (event.key === "Enter") select(state); });
  }

  // The view: a part of the drawing. At first it is as large as can be read, from the initial state on.
  let view;
  const show = (x, y, width, height) => {
    view = { x, y, width, height };
    svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  };
  const fit = (least) => {
    const box = svg.getBoundingClientRect();
    const scale = Math.max(least, Math.min(1.5, box.width / whole.width, box.height / whole.height)) || 1;
    const [width, height] = [box.width / scale, box.height / scale];
    const initial = svg.querySelector(".initial rect").getBBox();
    // Where the drawing is larger than the view, the initial state is in the middle, and at the top.
    const middle = Math.max(0, Math.min(initial.x + initial.width / 2 - width / 2, whole.width - width));
    const top = Math.max(0, Math.min(initial.y - 40, whole.height - height));
    const x = width < whole.width ? middle : (whole.width - width) / 2;
    const y = height < whole.height ? top : (whole.height - height) / 2;
    show(x, y, width, height);
  };
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const zoom = (factor, [fx, fy]) => {
    const box = svg.getBoundingClientRect();
    const scale = (box.width / view.width) * factor;
    if (scale > 8 || scale < 0.02) return;
    const [width, height] = [view.width / factor, view.height / factor];
    show(view.x + (view.width - width) * fx, view.y + (view.height - height) * fy, width, height);
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), place(event));
  }, { passive: false });
  for (const button of graph.querySelectorAll("button")) {
    const factor = Number(button.dataset.zoom);
    button.addEventListener("click", () => (factor ? zoom(factor, [0.5, 0.5]) : fit(0)));
  }

  // Dragging moves the view; a press without moving is a click.
  let press = null;
  svg.addEventListener("pointerdown", (event) => {
    press = { at: place(event), view, moved: false, on: event.target.closest(".state, .arrow") };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!press) return hover(event);
    const [x, y] = place(event);
    const [dx, dy] = [x - press.at[0], y - press.at[1]];
    press.moved ||= Math.hypot(dx * view.width, dy * view.height) > 4;
    if (press.moved) show(press.view.x - dx * view.width, press.view.y - dy * view.height, view.width, view.height);
  });
  svg.addEventListener("pointerup", () => {
    if (press && !press.moved) select(press.on);
    press = null;
  });
  svg.addEventListener("pointercancel", () => { press = null; });
  svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") select(null); });

  function hover(event) {
    const element = event.target.closest(".state, .arrow");
    tip.hidden = !element;
    if (!element) return;
    tip.textContent = texts.get(element);
    const box = graph.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left + 14, event.clientY - box.top + 14];
    tip.style.left = `${Math.max(0, Math.min(x, box.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${Math.max(0, Math.min(y, box.height - tip.offsetHeight - 4))}px`;
  }

  // A state with its arrows and neighbours, or an arrow with its ends.
  function select(element) {
    const lit = new Set(element ? [element] : []);
    const touches = (arrow) => [arrow.dataset.from, arrow.dataset.to];
    if (element && element.matches(".state")) {
      arrows.filter((arrow) => touches(arrow).includes(element.dataset.state)).forEach((a) => lit.add(a));
    }
    for (const arrow of [...lit].filter((e) => e.matches(".arrow"))) {
      states.filter((state) => touches(arrow).includes(state.dataset.state)).forEach((s) => lit.add(s));
    }
    for (const other of [...states, ...arrows]) {
      other.classList.toggle("lit", lit.has(other));
      other.classList.toggle("dim", element !== null && !lit.has(other));
    }
    aside.hidden = !element;
    aside.textContent = element ? texts.get(element) : "";
    tip.hidden = true;
  }

  addEventListener("resize", () => fit(0.75));
  addEventListener("beforeprint", () => show(0, 0, whole.width, whole.height));
  addEventListener("afterprint", () => fit(0.75));
  fit(0.75);
})();
