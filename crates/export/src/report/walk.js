// Walking along runs: the slider of each shows one of its steps everywhere.
(() => {
  const listing = document.querySelector(".model .listing");

  function walk(section) {
    const { names, changes, wrecked, again } = JSON.parse(section.querySelector("script").textContent);
    const rows = [...section.querySelectorAll(".steps [data-step]")];
    const numbers = rows.map((row) => Number(row.dataset.step));
    const last = numbers[numbers.length - 1];
    const slider = section.querySelector("input");
    const output = section.querySelector("output");
    const [picture, steps] = [section.querySelector(".picture"), section.querySelector(".steps")];
    // What is in a loop belongs to several steps; how a run ends, to its last one.
    const marks = [...section.querySelectorAll(".chart [data-step]")].map((element) => {
      return [element, element.dataset.step === "end" ? [last] : element.dataset.step.split(" ").map(Number)];
    });
    const text = section.querySelector(".text");
    if (listing) {
      text.append(listing.cloneNode(true));
      text.hidden = false;
    }
    const files = [...text.querySelectorAll("figure")].map((file) => [...file.querySelectorAll("code")]);
    let position = rows.length - 1;

    function go(to) {
      position = Math.max(0, Math.min(rows.length - 1, to));
      slider.value = position;
      const step = numbers[position];
      rows.forEach((row, i) => {
        row.classList.toggle("now", i === position);
        if (i === position) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      });
      for (const [element, at] of marks) {
        element.classList.toggle("now", at.includes(step));
        element.classList.toggle("later", at[0] > step);
      }
      const said = [...rows[position].cells].slice(1, 4).map((cell) => (cell.querySelector("code") ?? cell).textContent);
      const what = step === 0 ? "the start" : `${said[0]}, ${/^[0-9, ]+$/.test(said[1]) ? "line " : ""}${said[1]}: ${said[2]}`;
      output.textContent = `${step} of ${last} · ${what}`;
      slider.setAttribute("aria-valuetext", `step ${output.textContent}`);
      values(step);
      lines();
      reveal(steps, rows[position]);
      // The band of the step, or of the last one before it that is in the chart.
      const latest = (at) => at.findLast((one) => one <= step) ?? -1;
      const bands = marks.filter(([element, at]) => element.matches(".band") && at[0] <= step);
      const newest = bands.map(([, at]) => latest(at)).reduce((a, b) => Math.max(a, b), -1);
      const band = bands.filter(([, at]) => latest(at) === newest).pop()?.[0];
      if (picture && band) {
        reveal(picture, band);
        sideways(band);
        keepNames();
      }
    }

    // The values after the step; what it changed is marked, with what it was.
    function values(step) {
      const now = new Map();
      changes.slice(0, position).flat().forEach(([name, value]) => now.set(name, value));
      const before = new Map(now);
      const changed = new Set(changes[position].map(([name]) => name));
      changes[position].forEach(([name, value]) => now.set(name, value));
      const failed = wrecked && position === rows.length - 1;
      section.querySelector("caption").textContent =
        step === 0 ? "Values at the start" : failed ? `Step ${step} failed; values before it` : `Values after step ${step}`;
      const body = section.querySelector(".values tbody");
      body.replaceChildren(...[...now].filter(([, value]) => value !== null).sort(([a], [b]) => a - b).map(([name, value]) => {
        const row = document.createElement("tr");
        const [head, cell] = [document.createElement("th"), document.createElement("td")];
        head.scope = "row";
        head.textContent = names[name];
        cell.textContent = value;
        if (step > 0 && changed.has(name)) {
          row.className = "changed";
          const old = document.createElement("del");
          old.textContent = before.get(name) ?? "new";
          cell.append(" ", old);
        }
        row.append(head, cell);
        return row;
      }));
      const first = body.querySelector(".changed");
      if (first) reveal(section.querySelector(".values"), first);
    }

    // The lines of the step: who moves, and who receives.
    function lines() {
      text.querySelectorAll(".now").forEach((line) => line.classList.remove("now"));
      const places = (rows[position].dataset.at ?? "").split(" ").filter(Boolean);
      const found = places.map((place) => place.split(":")).map(([file, line]) => files[file]?.[line - 1]);
      found.filter(Boolean).forEach((line) => line.classList.add("now"));
      reveal(text, found.find(Boolean));
    }

    // Only the pane is scrolled, not the page.
    function reveal(pane, element) {
      if (!element) return;
      const [outer, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
      if (inner.top < outer.top + 80 || inner.bottom > outer.bottom - 16) {
        pane.scrollTop += inner.top - outer.top - pane.clientHeight / 2;
      }
    }

    // A chart with many processes is wider than its pane: what happens in a row comes into sight, and the words beside
    // it if there is room for both.
    function sideways(band) {
      const row = marks.map(([element]) => element).filter((element) => element.dataset.step === band.dataset.step);
      const shapes = row.flatMap((element) => [...element.querySelectorAll("line, circle, .cross, text.label")]);
      const boxes = shapes.map((shape) => shape.getBoundingClientRect()).filter((box) => box.width + box.height > 0);
      if (boxes.length === 0 || picture.scrollWidth <= picture.clientWidth) return;
      const outer = picture.getBoundingClientRect();
      const left = Math.min(...boxes.map((box) => box.left)) - 24;
      const right = Math.max(...boxes.map((box) => box.right)) + 24;
      if (left < outer.left || right > outer.left + picture.clientWidth) {
        const middle = (left + right) / 2 - outer.left - picture.clientWidth / 2;
        picture.scrollLeft += right - left > picture.clientWidth ? left - outer.left : middle;
      }
    }

    // The names of the processes stay in sight. A scroll event comes a frame late, so whoever scrolls by a step, or for
    // paper, does not wait for it.
    function keepNames() {
      picture.querySelector(".heads").setAttribute("transform", `translate(0 ${picture.scrollTop})`);
    }
    picture?.addEventListener("scroll", keepNames);
    addEventListener("beforeprint", () => {
      if (!picture) return;
      picture.scrollTop = 0;
      keepNames();
    });
    section.querySelector(".bar").hidden = false;
    slider.addEventListener("input", () => go(Number(slider.value)));
    // One step on from the end of a loop is its first step again.
    const by = (n) => {
      const round = n === 1 && position === rows.length - 1 ? numbers.indexOf(again) : -1;
      go(round >= 0 ? round : position + n);
    };
    section.querySelectorAll(".bar button").forEach((button) => {
      button.addEventListener("click", () => by(Number(button.dataset.by)));
    });
    rows.forEach((row, i) => row.addEventListener("click", () => go(i)));
    // A click in a loop goes to its next round.
    marks.forEach(([element, at]) => element.addEventListener("click", () => {
      const shown = at.filter((step) => numbers.includes(step));
      go(numbers.indexOf(shown.find((step) => step > numbers[position]) ?? shown[0]));
    }));
    go(position);
    return { section, by };
  }

  const runs = [...document.querySelectorAll(".run")].map(walk);
  // The keys move along the run that was touched last.
  let current = runs[0];
  for (const run of runs) {
    const touch = () => { current = run; };
    run.section.addEventListener("pointerdown", touch);
    run.section.addEventListener("focusin", touch);
  }
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
    event.preventDefault();
    current.by(by);
  });
})();
