// What is said about the run in words. All text is put in as text, never as HTML.

function element(name, text, kind) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

// writeReport fills the page's head and the report. go jumps to an instant, select shows the marks of a verdict.
function writeReport(d, go, select) {
  document.getElementById("line").textContent = d.line || d.machine;
  const broken = d.guarantees.filter(g => g.verdict === "broken").length;
  const verdict = document.getElementById("verdict");
  if (d.guarantees.length) {
    verdict.textContent = signs[d.verdict] + (broken ? broken + " of " + d.guarantees.length + " guarantees broken" :
      d.verdict === "held" ? "what was promised held" : "nothing could be judged");
    verdict.className = classOf(d.verdict);
  }
  writeBroken(d, select);
  const leftOut = document.getElementById("left-out");
  leftOut.hidden = !d.left_out.length;
  leftOut.textContent = d.left_out.join(" ");
  const report = document.getElementById("report");
  section(report, "Report", table([...d.rows.map(r => [r.name, r.text]), ["machine", d.machine], ["seed", d.seed], ...(d.hash ? [["hash", d.hash]] : [])]));
  if (d.guarantees.length) section(report, "Guarantees", items(d.guarantees.map(g => verdictItem(g, select))));
  section(report, "Fault schedule", d.faults.length ? items(d.faults.map(f => faultItem(f, d, go))) : element("p", "none", "soft"));
  if (d.waiting.length) section(report, "Waiting for ever", items(d.waiting.map(w => waitItem(w, go))));
}

function section(report, title, content) {
  content.style.margin = "0";
  report.append(element("h3", title), content);
}

function table(rows) {
  const list = element("dl");
  for (const [name, text] of rows) list.append(element("dt", name), element("dd", text));
  return list;
}

function items(all) {
  const list = element("ul");
  list.append(...all);
  return list;
}

const signs = { "held": "✓ ", "broken": "✕ ", "not claimed": "– ", "too late": "– " };

function classOf(verdict) { return verdict.replace(" ", "-"); }

// writeBroken has what is broken, and the evidence of it, where a reader looks first.
function writeBroken(d, select) {
  const all = d.guarantees.filter(g => g.verdict === "broken"), list = document.getElementById("broken");
  list.hidden = !all.length;
  list.append(...all.map(g => {
    const item = verdictItem(g, null);
    if (g.bars.length) item.append(" ", marksButton(g, "zoom to " + (g.bars.length === 1 ? "its mark" : "its " + g.bars.length + " marks"), select));
    return item;
  }));
}

function verdictItem(g, select) {
  const item = element("li");
  const beyond = g.beyond ? "; beyond what is claimed: " + g.beyond : "";
  item.append(element("strong", signs[g.verdict], classOf(g.verdict)), g.bars.length && select ? marksButton(g, g.name, select) : g.name,
    element("span", ": " + (g.verdict === "not claimed" ? "not claimed: " : "") + g.evidence + beyond, "soft"));
  return item;
}

// marksButton shows the marks of a verdict, and again what was shown before.
function marksButton(g, text, select) {
  const b = jump(text, () => select(g));
  b.className = "marks";
  b.title = "Its marks on the timeline; once more, or Escape: as before";
  b.setAttribute("aria-pressed", "false");
  (g.buttons = g.buttons || []).push(b);
  return b;
}

function faultItem(f, d, go) {
  const item = element("li");
  if (f.time < 0) item.append(element("code", f.text));
  else item.append(jump(f.text, () => go(f.time, f.rank)));
  const said = !f.fired ? " never fired" : f.time < 0 || f.text.endsWith("@t" + f.time) ? "" : " " + instant(f.time, d.tick_ns);
  item.append(element("span", said, "soft"));
  return item;
}

function waitItem(w, go) {
  const item = element("li"), [head, ...rest] = w.text.split(" in ");
  item.append(jump(head, () => go(w.since, w.rank)), " in " + rest.join(" in "));
  return item;
}

function jump(text, action) {
  const b = element("button", text);
  b.addEventListener("click", action);
  return b;
}

// legendOf explains the marks that the run has.
function legendOf(d) {
  const has = name => { const i = d.turns.names.indexOf(name); return i >= 0 && d.turns.what.includes(i); };
  const marked = guilty => d.guarantees.some(g => g.bars.some(b => b.guilty === guilty));
  const square = colour => `<rect x="1" y="2" width="10" height="8" fill="var(--${colour})"/>`;
  const cross = width => `<path d="M2 2l8 8M2 10l8-8" stroke="var(--crash)" stroke-width="${width}"/>`;
  const entries = [["send", square("send"), true], ["receive", square("receive"), true], ["notice", square("notice"), d.notices.count > 0],
    ["coloured", `<circle cx="6" cy="6" r="4" fill="var(--coloured)"/>`, d.spreads],
    ["crash", cross(2.5), has("crash")], ["lost", cross(1.2), d.messages.fate.some(f => f !== fate.received && f !== fate.underWay)],
    ["hang", `<path d="M2 1h3v10H2zM7 1h3v10H7z" fill="var(--hang)"/>`, has("hang")],
    ["late", `<path d="M0 9L12 3" stroke="var(--text)" stroke-dasharray="5 2"/>`, d.messages.late.some((t, i) => t && !d.messages.again[i])],
    ["once more", `<path d="M0 9L12 3" stroke="var(--text)" stroke-dasharray="2 2"/>`, d.messages.again.some(a => a)],
    ["slow", `<path d="M1 2h10l-5 9z" fill="var(--slow)" stroke="var(--text)"/>`, has("slow")],
    ["rejoin", `<path d="M1 10h10L6 1z" fill="var(--coloured)" stroke="var(--text)"/>`, has("rejoin")],
    ["links cut", `<path d="M6 0v3M6 5v3M6 10v2" stroke="var(--crash)" stroke-width="1.5"/>`, d.cuts.length > 0],
    ["links mended", `<path d="M6 0v3M6 5v3M6 10v2" stroke="var(--coloured)" stroke-width="1.5"/>`, d.mends.length > 0],
    ...legendOfStorage(d),
    ["mark of a verdict", `<rect x="1" y="2.5" width="10" height="7" fill="var(--mark)" stroke="var(--soft)"/>`, marked(false)],
    ["what is wrong", `<rect x="1" y="2.5" width="10" height="7" fill="var(--tint-broken)" stroke="var(--broken)" stroke-width="2"/>`, marked(true)],
    ["waits for ever", `<path d="M6 1l5 5-5 5-5-5z" fill="none" stroke="var(--text)" stroke-width="1.5"/>`, d.waiting.length > 0]];
  return entries.filter(e => e[2]).map(([name, shape]) => {
    const s = element("span");
    s.innerHTML = `<svg viewBox="0 0 12 12" aria-hidden="true">${shape}</svg>`; // ours, not the run's
    s.append(name);
    return s;
  });
}

// legendOfStorage explains what storage is used for, as far as the run has it.
function legendOfStorage(d) {
  const used = new Set(Array.from(new Set(d.storage.kind), k => d.storage.kinds[k]));
  const bar = `<rect x="0" y="2" width="12" height="8" fill="var(--storage)"/>`;
  const hollow = (colour, dash) => `<rect x="0.75" y="2.75" width="10.5" height="6.5" fill="var(--panel)" stroke="var(--${colour})" stroke-width="1.5"${dash}/>`;
  return [["write", bar], ["delete", bar + `<path d="M2 6h8" stroke="var(--panel)" stroke-width="2"/>`],
    ["sync", bar + `<path d="M10.5 0v12" stroke="var(--text)" stroke-width="3"/>`], ["read", hollow("storage", "")]].map(([name, shape]) => [name, shape, used.has(name)]).concat([
    ["storage lost", hollow("crash", ` stroke-dasharray="3 2"`) + `<path d="M8 3l4 6M8 9l4-6" stroke="var(--crash)" stroke-width="1.5"/>`,
      ["write-lost", "sync-lost", "forget"].some(name => used.has(name))]]);
}

// kindsOf has a button for each kind of messages, if there are several: it leaves the lines of the others out.
function kindsOf(d, choose) {
  if (d.kinds.length < 2) return [];
  const buttons = d.kinds.map((name, kind) => {
    const b = element("button"), points = kindPath(kind).map(([x, y]) => (8 + 3.4 * x).toFixed(1) + "," + (6 + 3.4 * y).toFixed(1)).join(" ");
    const colour = shapeColour(kind);
    b.innerHTML = `<svg viewBox="0 0 16 12" aria-hidden="true"><path d="M0 6h16" stroke="var(--${colour})"/><polygon points="${points}" fill="var(--${colour})"/></svg>`; // ours, not the run's
    b.append(name);
    b.title = "Messages of this kind only";
    b.setAttribute("aria-pressed", "false");
    b.addEventListener("click", () => {
      const on = b.getAttribute("aria-pressed") === "true";
      for (const other of buttons) other.setAttribute("aria-pressed", "false");
      b.setAttribute("aria-pressed", String(!on));
      choose(on ? -1 : kind);
    });
    return b;
  });
  return buttons;
}
