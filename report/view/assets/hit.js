// What is under the mouse, and how it is shown and told.

// hit finds what is at a place of the timeline: a slice, a mark or the line of a message.
function hit(timeline, x, y) {
  const {axes, d} = timeline;
  const row = axes.row(y);
  if (x < axes.left) return row >= 0 && row < d.rows_ && y >= topMargin ? {what: "rank", row} : null;
  if (y < topMargin || x > axes.left + axes.width) return null;
  if (row >= 0 && row < d.rows_) {
    const found = barAt(timeline, x, y) || labelAt(timeline, x, y) || markAt(timeline, row, x, y) || sliceAt(timeline, row, x, y);
    if (found) return found;
  }
  return lineAt(timeline, x, y);
}

// within finds a slice of a row around t, the latest that began if there are several.
function within(list, row, t, longest, start, end, slack) {
  const {at, items} = list;
  for (let k = firstNotBefore(at[row], at[row + 1], t + slack, i => start[items[i]]) - 1; k >= at[row]; k--) {
    if (start[items[k]] < t - longest - slack) return -1;
    if (end[items[k]] >= t - slack) return items[k];
  }
  return -1;
}

function sliceAt(timeline, row, x, y) {
  const {axes, d} = timeline, m = d.messages, n = d.notices;
  const t = axes.time(x), slack = 1.5 * (axes.to - axes.from) / axes.width;
  const head = axes.head(), tall = axes.tall - head;
  const split = tall >= 7, lower = split && (y - axes.y(row) - head) / tall > 0.5;
  const sent = within(m.bySender, row, t, m.longestSend, m.sent, m.resumed, slack);
  const received = within(m.byReceiver, row, t, m.longestReceive, m.start, m.end, slack);
  const notice = within(n.byRank, row, t, n.longest, n.start, n.end, slack);
  const stored = split && lower ? null : storageAt(timeline, row, x);
  if (stored) return stored;
  if (sent >= 0 && !(split && lower)) return {what: "message", i: sent};
  if (notice >= 0 && (!split || lower)) return {what: "notice", i: notice};
  if (received >= 0 && (!split || lower)) return {what: "message", i: received};
  return null;
}

function markAt(timeline, row, x, y) {
  const {axes, d} = timeline;
  const near = t => Math.abs(axes.x(t) - x) <= 4;
  if (Math.abs(y - axes.middle(row)) <= Math.max(3, (axes.tall - axes.head()) * 0.3)) {
    const {at, items} = d.turns.byRank;
    for (let k = at[row + 1] - 1; k >= at[row]; k--) if (near(d.turns.time[items[k]])) return {what: "turn", i: items[k], row};
    if (d.ranks.waits[row] !== Infinity && near(d.end)) return {what: "rank", row};
  }
  const below = y - axes.y(row) - axes.barsTall();
  if (axes.tall < 9 || below < 0 || below > (axes.labelsTall() || Math.max(5, axes.tall * 0.25))) return null;
  const {at, items} = d.steps.byRank;
  const slack = 2.5 * (axes.to - axes.from) / axes.width, t = axes.time(x);
  const k = firstNotBefore(at[row], at[row + 1], t - slack, i => d.steps.time[items[i]]);
  const all = [];
  for (let next = k; next < at[row + 1] && d.steps.time[items[next]] <= t + slack; next++) all.push({what: "step", i: items[next]});
  return all.length ? oneOrAll(d, all) : null;
}

// lineAt finds the message whose line is nearest, if it is near.
function lineAt(timeline, x, y) {
  const {axes, d, stats} = timeline, m = d.messages;
  const t = axes.time(x);
  let best = -1, nearest = 5;
  underWay(d, t, i => {
    if (i % stats.stride || timeline.only >= 0 && m.kind[i] !== timeline.only || m.fate[i] > fate.lost || t < m.resumed[i] || t > m.start[i]) return;
    const x0 = axes.x(m.resumed[i]), y0 = timeline.laneY(m.from[i], 0);
    const dx = axes.x(m.start[i]) - x0, dy = timeline.laneY(m.to[i], 1) - y0;
    const length = Math.hypot(dx, dy);
    const distance = length ? Math.abs((x - x0) * dy - (y - y0) * dx) / length : Math.hypot(x - x0, y - y0);
    if (distance < nearest) { nearest = distance; best = i; }
  });
  return best < 0 ? null : {what: "message", i: best};
}

// outline shows what was hit.
function outline(timeline, g, found) {
  const {axes, d} = timeline, m = d.messages;
  g.save();
  g.beginPath();
  g.rect(axes.left, topMargin - 1, axes.width, axes.height + 1);
  g.clip();
  g.strokeStyle = colours.text;
  g.lineWidth = 2;
  if (found.what === "message") {
    const i = found.i;
    if (m.fate[i] <= fate.lost) {
      g.beginPath();
      g.moveTo(axes.x(m.resumed[i]), timeline.laneY(m.from[i], 0));
      g.lineTo(axes.x(m.start[i]), timeline.laneY(m.to[i], 1));
      g.stroke();
    }
    frame(timeline, g, m.from[i], 0, m.sent[i], m.resumed[i]);
    if (m.fate[i] === fate.received) frame(timeline, g, m.to[i], 1, m.start[i], m.end[i]);
  }
  if (found.what === "notice") frame(timeline, g, d.notices.rank[found.i], 1, d.notices.start[found.i], d.notices.end[found.i]);
  if (found.what === "storage") frame(timeline, g, d.storage.rank[found.i], 0, d.storage.start[found.i], d.storage.end[found.i]);
  if (found.what === "bar") {
    const [x0, y0, x1, y1] = boxOf(timeline, timeline.bars[found.i]);
    g.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }
  if (found.row !== undefined) g.strokeRect(axes.left, axes.y(found.row), axes.width, Math.max(2, axes.tall));
  g.restore();
}

// frame goes around a slice.
function frame(timeline, g, rank, which, from, to) {
  const {axes, d} = timeline;
  if (rank < d.first || rank > d.last) return;
  const row = rank - d.first, head = axes.head(), tall = axes.tall - head, half = tall >= 7 ? tall / 2 : tall;
  const y = axes.y(row) + head + (tall >= 7 && which === 1 ? half : 0);
  g.strokeRect(axes.x(from) - 0.5, y, Math.max(3, axes.x(to) - axes.x(from)), Math.max(3, half));
}

// tell says what was hit.
function tell(d, found, timeline) {
  const i = found.i, ns = d.tick_ns;
  switch (found.what) {
  case "message": return tellMessage(d, i);
  case "notice": return "notice of rank " + d.notices.about[i] + "\nto rank " + d.notices.rank[i] + ", " + span(d.notices.start[i], d.notices.end[i], ns);
  case "step": return "step " + d.steps.names[d.steps.what[i]] + "\nrank " + d.steps.rank[i] + ", " + instant(d.steps.time[i], ns);
  case "storage": return tellStorage(d, found);
  case "bar": return tellBar(d, timeline.bars[found.i]);
  case "several": return found.all.slice(0, 12).map(one => tell(d, one.what === "storage" ? {...one, all: [one.i]} : one)).join("\n");
  case "turn": {
    const name = d.turns.names[d.turns.what[i]];
    const words = {crash: "crashes", hang: "hangs", rejoin: "begins again", slow: "becomes " + d.turns.value[i] + " times as slow"};
    return "rank " + d.turns.rank[i] + " " + words[name] + "\n" + instant(d.turns.time[i], ns) + forgotten(d, i);
  }
  }
  return tellRank(d, found.row);
}

function tellMessage(d, i) {
  const m = d.messages, ns = d.tick_ns;
  const epoch = m.epoch(i), a = m.a(i);
  const lines = [d.kinds[m.kind[i]] + (epoch ? ", epoch " + epoch : "") + (a ? ", a=" + a : "")];
  lines.push("from rank " + m.from[i] + ", " + span(m.sent[i], m.resumed[i], ns));
  const to = "to rank " + m.to[i] + ", ";
  switch (m.fate[i]) {
  case fate.received: lines.push(to + span(m.start[i], m.end[i], ns)); break;
  case fate.lost: lines.push(to + "lost there at " + instant(m.end[i], ns) + ": it had crashed"); break;
  case fate.cut: lines.push(to + "lost on a cut link"); break;
  case fate.dropped: lines.push(to + "lost on its way"); break;
  case fate.unsent: lines.push(to + "never sent: rank " + m.from[i] + " failed in the middle"); break;
  default: lines.push(to + "not received");
  }
  if (m.late[i]) lines.push(ticks(m.late[i], ns) + (m.again[i] ? " after it should have arrived, once more" : " late"));
  return lines.join("\n");
}

// forgotten says what a rank has lost of its storage with a failure; "" if nothing.
function forgotten(d, i) {
  const s = d.storage, row = d.turns.rank[i] - d.first, {at, items} = s.byRank;
  for (let k = at[row]; k < at[row + 1]; k++) {
    const j = items[k];
    if (s.kinds[s.kind[j]] === "forget" && s.start[j] === d.turns.time[i]) return "\nand loses " + changes(s.lost[j]) + " of its storage that " + (s.lost[j] === 1 ? "was" : "were") + " not safe";
  }
  return "";
}

// tellRank says how the run went for a rank.
function tellRank(d, row) {
  const r = d.ranks, ns = d.tick_ns, rank = row + d.first;
  const outcome = r.names[r.outcome[row]];
  const lines = ["rank " + rank + ": " + outcome + (r.exit[row] >= 0 ? " at " + instant(r.exit[row], ns) : "")];
  if (d.spreads) {
    if (r.coloured[row] < 0) lines.push("never coloured");
    else lines.push("coloured at " + instant(r.coloured[row], ns) + (r.by[row] >= 0 ? " by rank " + r.by[row] : ""));
  }
  const {at, items} = d.turns.byRank;
  for (let k = at[row]; k < at[row + 1]; k++) lines.push(tell(d, {what: "turn", i: items[k]}).split("\n").slice(0, 2).join(" at ").replace("rank " + rank + " ", ""));
  for (const w of d.waiting) if (w.rank === rank) lines.push(w.text.replace("rank " + rank + " in", "waits for ever in"));
  const storedHere = tellStored(d, row);
  if (storedHere) lines.push(storedHere);
  lines.push("sent " + r.sent[row] + ", received " + r.received[row] + " messages");
  return lines.join("\n");
}
