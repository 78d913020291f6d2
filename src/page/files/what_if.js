// The controls of "What if", and what they show.

{
  const spec = JSON.parse(document.getElementById("model").textContent);
  const model = new Model(spec);
  const $ = (id) => document.getElementById(id);
  const element = (tag, properties = {}, children = []) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const typical = spec.columns.map((column) => column.typical);
  const many = spec.classes.length > 2;
  const ordered = spec.likelihood === "ordinal"; // one latent function
  let row = [...typical], asked = many ? 0 : 1; // asked: the class whose chance is shown
  let chosen = !many;

  const percent = (p) => (100 * p).toFixed(p > 0.001 && p < 0.999 ? 1 : 3) + " %";
  const signed = (x) => (x < 0 ? "−" : "+") + Math.abs(100 * x).toFixed(1);
  const day = (days) => {
    const date = new Date(Math.round(days * 864e5));
    return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
  };
  const chanceOf = ({probability}, c) => (many ? probability[c] : c === 1 ? probability[0] : 1 - probability[0]);

  function textOf(column, value) {
    if (Number.isNaN(value)) return "missing";
    if (column.kind === "date") return day(value);
    if (column.value >= 0) return String(Number(value.toPrecision(6)));
    const k = column.levels.indexOf(value);
    return k >= 0 ? column.texts[k] : "any other";
  }

  // A menu of levels, or a slider with a field for the exact value; a box for a missing value.
  function controlOf(c) {
    const column = spec.columns[c], id = "value-" + c;
    const set = (value) => { row[c] = value; update(); };
    const label = element("label", {htmlFor: id, textContent: column.name, title: column.title || "", dir: "auto"});
    if (column.value < 0) {
      const menu = element("select", {id});
      column.levels.forEach((level, k) => menu.append(element("option", {value: String(level), textContent: column.texts[k]})));
      menu.append(element("option", {value: String(column.unknown), textContent: "any other"}));
      if (spec.draws > 0 || column.gaps) menu.append(element("option", {value: "NaN", textContent: "missing"}));
      menu.addEventListener("change", () => set(Number(menu.value)));
      return {node: element("div", {className: "control"}, [label, menu]), show: () => {
        const known = Number.isNaN(row[c]) || column.levels.includes(row[c]);
        menu.value = String(known ? row[c] : column.unknown);
      }};
    }
    const date = column.kind === "date";
    const step = column.whole ? 1 : (column.high - column.low) / 400;
    const slider = element("input", {type: "range", id: id + "-slider", min: column.low, max: column.high, step,
      title: "from " + textOf(column, column.low) + " to " + textOf(column, column.high)});
    slider.setAttribute("aria-label", column.name + ", slider");
    const field = element("input", {type: date ? "date" : "number", id, step: "any"});
    const empty = element("input", {type: "checkbox", id: id + "-missing"});
    slider.addEventListener("input", () => set(Number(slider.value)));
    field.addEventListener("input", () => {
      const value = date ? field.valueAsNumber / 864e5 : field.valueAsNumber;
      if (!Number.isNaN(value)) set(value);
    });
    let before = typical[c];
    empty.addEventListener("change", () => {
      if (empty.checked) before = row[c];
      set(empty.checked ? NaN : before);
    });
    const parts = [label, element("div", {className: "number"}, [slider, field])];
    if (spec.draws > 0)
      parts[1].append(element("label", {className: "missing", htmlFor: empty.id, title: column.name + " is missing"}, [empty, "missing"]));
    return {node: element("div", {className: "control"}, parts), show: () => {
      const missing = Number.isNaN(row[c]);
      empty.checked = missing;
      slider.disabled = field.disabled = missing;
      if (missing) return;
      slider.value = row[c];
      slider.setAttribute("aria-valuetext", textOf(column, row[c]));
      if (document.activeElement !== field) field.value = date ? day(row[c]) : Number(row[c].toPrecision(12));
    }};
  }
  const controls = spec.controls.map(controlOf);

  // The chance if the latent function asked about were 1.96 deviations lower or higher.
  function bandOf({mean, variance}) {
    if (ordered) { // the chance is highest in the middle between two thresholds
      const reach = 1.959963985 * Math.sqrt(variance[0]), b = spec.thresholds;
      const at = [mean[0] - reach, mean[0] + reach], peak = (b[asked - 1] + b[asked]) / 2;
      if (peak > at[0] && peak < at[1]) at.push(peak);
      const p = at.map((f) => ordinal([f], [0], b)[asked]);
      return [Math.min(...p), Math.max(...p)];
    }
    const at = (side) => {
      if (!many) {
        const f = mean[0] + side * 1.959963985 * Math.sqrt(variance[0]);
        const p = spec.likelihood === "probit" ? normalCdf(f) : 1 / (1 + Math.exp(-f));
        return asked === 1 ? p : 1 - p;
      }
      const f = mean.map((m, c) => (c === asked ? m + side * 1.959963985 * Math.sqrt(variance[c]) : m));
      const top = Math.max(...f), e = f.map((x) => Math.exp(x - top));
      return e[asked] / e.reduce((a, b) => a + b, 0);
    };
    return [at(-1), at(1)].sort((a, b) => a - b);
  }

  function showContributions(now) {
    const chance = chanceOf(now, asked);
    const moved = spec.controls
      .filter((c) => !Object.is(row[c], typical[c]))
      .map((c) => {
        const other = [...row];
        other[c] = typical[c];
        return {c, by: chance - chanceOf(model.predict(other), asked)};
      })
      .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
      .slice(0, 15);
    const most = Math.max(1e-6, ...moved.map(({by}) => Math.abs(by)));
    $("contributions").replaceChildren(...moved.map(({c, by}) => {
      const bar = element("i", {className: by < 0 ? "less" : "more"});
      bar.style.setProperty("--size", Math.abs(by) / most);
      return element("div", {}, [
        element("bdi", {textContent: spec.columns[c].name + " = " + textOf(spec.columns[c], row[c]), title: spec.columns[c].title || ""}),
        element("span", {className: "two-sided"}, [bar]),
        element("span", {textContent: signed(by) + " points"})]);
    }));
    if (moved.length === 0)
      $("contributions").replaceChildren(element("p", {textContent: "All values are typical. Change one to see what it does."}));
    for (const child of $("contributions").children) child.setAttribute("role", "listitem");
  }

  function showClasses(now) {
    const order = spec.classes.map((_, c) => c).sort((a, b) => now.probability[b] - now.probability[a]).slice(0, 30);
    if (ordered) order.sort((a, b) => a - b);
    $("all-classes").tBodies[0].replaceChildren(...order.map((c) => {
      const choose = element("button", {type: "button", className: "row", textContent: spec.classes[c], dir: "auto"});
      choose.setAttribute("aria-pressed", String(c === asked));
      choose.addEventListener("click", () => { asked = c; chosen = true; update(); });
      const cells = [element("th", {scope: "row"}, [choose]), element("td", {textContent: percent(now.probability[c])})];
      if (!ordered)
        cells.push(element("td", {textContent: now.mean[c].toFixed(2) + " ± " + (1.96 * Math.sqrt(now.variance[c])).toFixed(2)}));
      return element("tr", {}, cells);
    }));
  }

  let waiting = 0;
  function update() {
    const now = model.predict(row);
    if (!chosen) asked = now.probability.indexOf(Math.max(...now.probability));
    const chance = chanceOf(now, asked), [low, high] = bandOf(now);
    $("asked").replaceChildren("Chance of ", element("bdi", {textContent: spec.classes[asked]}));
    $("probability").textContent = percent(chance);
    $("needle").style.setProperty("--at", chance);
    $("band").style.setProperty("--low", low);
    $("band").style.setProperty("--high", high);
    $("doubt").textContent = "With more data of this kind it might turn out to be anywhere from " + percent(low) + " to " + percent(high) +
      (model.hasNewGaps(row) && spec.draws > 0 ? ". What is missing was averaged over typical values." : ".") +
      (ordered ? " Expected level: " + now.probability.reduce((sum, p, c) => sum + p * (c + 1), 0).toFixed(2) + " of " +
        spec.classes.length + "." : "") +
      (many && !ordered ? "" : " Latent function: " + now.mean[0].toFixed(3) + " ± " + (1.96 * Math.sqrt(now.variance[0])).toFixed(3) + ".");
    if (many) showClasses(now);
    for (const control of controls) control.show();
    clearTimeout(waiting);
    waiting = setTimeout(() => showContributions(now), 30);
  }

  $("controls").append(...controls.map((control) => control.node));
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", () => { row = [...typical]; chosen = !many; update(); });
  for (const button of document.querySelectorAll("button.row[data-row]"))
    button.addEventListener("click", () => {
      row = (spec.rows || []).find((each) => each.index === Number(button.dataset.row)).values.map((v) => (v === null ? NaN : v));
      update();
      $("what-if").scrollIntoView();
    });
  $("classes-card").hidden = !many;
  if (ordered) $("all-classes").tHead.rows[0].deleteCell(2);
  $("what-if-panel").hidden = false;
  update();
  window.induce = {predict: (values) => model.predict(values), row: () => [...row], typical};
}
