// Data of a page, made ready for drawing: typed arrays, ordered by time, with an index by rank.

// expand makes an array of a column, which is one number if all are the same.
function expand(column, count, Kind) {
  const all = new Kind(count);
  if (Array.isArray(column)) for (let i = 0; i < count; i++) all[i] = Number(column[i]);
  else all.fill(Number(column));
  return all;
}

// added turns differences back into instants.
function added(column, count) {
  const all = expand(column, count, Float64Array);
  for (let i = 1; i < count; i++) all[i] += all[i - 1];
  return all;
}

const fate = {received: 0, lost: 1, cut: 2, unsent: 3, underWay: 4, dropped: 5};

function readData(text) {
  const d = JSON.parse(text);
  d.rows_ = d.last - d.first + 1;
  d.messages = readMessages(d.messages);
  d.messages.bySender = byRank(d, d.messages.from, d.messages.sent, null);
  d.messages.byReceiver = byRank(d, d.messages.to, d.messages.start, i => d.messages.fate[i] === fate.received);
  d.notices = readNotices(d.notices);
  d.notices.byRank = byRank(d, d.notices.rank, d.notices.start, null);
  for (const name of ["steps", "turns"]) {
    d[name] = readMarks(d[name]);
    d[name].byRank = byRank(d, d[name].rank, d[name].time, null);
  }
  d.storage = readStorage(d, d.storage);
  for (const g of d.guarantees) g.bars = readBars(d, g);
  d.ranks = readRanks(d);
  for (const name of ["rank", "coloured", "by"]) d.above[name] = expand(d.above[name], d.above.count, Float64Array);
  d.instants = instantsOf(d);
  return d;
}

function readMessages(m) {
  const n = m.count;
  const r = {
    count: n, kind: expand(m.kind, n, Uint8Array), fate: expand(m.fate, n, Uint8Array),
    from: expand(m.from, n, Int32Array), to: expand(m.to, n, Int32Array),
    sent: added(m.sent, n), resumed: expand(m.took, n, Float64Array),
    start: expand(m.flight, n, Float64Array), end: expand(m.takes, n, Float64Array),
    late: expand(m.late, n, Float64Array), again: expand(m.again, n, Uint8Array),
    latest: new Float64Array(n), // the last end of this one and those before
    longestSend: 0, longestReceive: 0,
    epoch: i => Array.isArray(m.epoch) ? m.epoch[i] : m.epoch,
    a: i => Array.isArray(m.a) ? m.a[i] : m.a,
  };
  let latest = -Infinity;
  for (let i = 0; i < n; i++) {
    r.longestSend = Math.max(r.longestSend, r.resumed[i]);
    r.longestReceive = Math.max(r.longestReceive, r.end[i]);
    r.resumed[i] += r.sent[i];
    r.start[i] += r.resumed[i];
    r.end[i] += r.start[i];
    r.latest[i] = latest = Math.max(latest, r.end[i]);
  }
  r.lost = r.sent.map((_, i) => i).filter(i => r.fate[i] !== fate.received && r.fate[i] !== fate.underWay);
  return r;
}

function readNotices(m) {
  const n = m.count;
  const r = {count: n, rank: expand(m.rank, n, Int32Array), about: expand(m.about, n, Int32Array),
    start: added(m.start, n), end: expand(m.took, n, Float64Array), longest: 0};
  for (let i = 0; i < n; i++) {
    r.longest = Math.max(r.longest, r.end[i]);
    r.end[i] += r.start[i];
  }
  return r;
}

function readMarks(m) {
  const n = m.count;
  return {count: n, names: m.names, rank: expand(m.rank, n, Int32Array), time: added(m.time, n),
    what: expand(m.what, n, Int32Array), value: expand(m.value, n, Float64Array)};
}

// storageShapes are what storage is used for, each with a shape of its own: see storage.js. Those that are solid changed something.
const storageShapes = {
  "write": {solid: true}, "delete": {solid: true}, "sync": {solid: true}, "read": {}, "write-lost": {lost: true}, "sync-lost": {lost: true}, "forget": {lost: true},
};

function readStorage(d, s) {
  s = s || {count: 0, kinds: [], names: [], rank: [], kind: [], name: [], start: [], took: [], lost: []};
  const n = s.count;
  const r = {count: n, kinds: s.kinds, names: s.names, rank: expand(s.rank, n, Int32Array), kind: expand(s.kind, n, Uint8Array),
    name: expand(s.name, n, Int32Array), start: added(s.start, n), end: expand(s.took, n, Float64Array), lost: expand(s.lost, n, Float64Array), longest: 0};
  for (let i = 0; i < n; i++) {
    r.longest = Math.max(r.longest, r.end[i]);
    r.end[i] += r.start[i];
  }
  const solid = i => storageShapes[s.kinds[r.kind[i]]].solid;
  r.byRank = byRank(d, r.rank, r.start, null);
  r.solid = byRank(d, r.rank, r.start, solid);
  r.hollow = byRank(d, r.rank, r.start, i => !solid(i));
  return r;
}

// readBars lists the marks of a verdict, in the order in which they begin.
function readBars(d, g) {
  if (!g.marks) return [];
  const b = g.marks, n = b.count, bars = [];
  const rank = expand(b.rank, n, Int32Array), text = expand(b.text, n, Int32Array), from = added(b.from, n);
  const took = expand(b.took, n, Float64Array), guilty = expand(b.guilty, n, Uint8Array);
  for (let i = 0; i < n; i++) {
    bars.push({row: rank[i] - d.first, from: from[i], to: took[i] < 0 ? Infinity : from[i] + took[i], text: b.texts[text[i]], guilty: guilty[i] === 1, of: g});
  }
  return bars;
}

function readRanks(d) {
  const n = d.rows_, r = d.ranks;
  const ranks = {names: r.names};
  for (const name of ["outcome", "coloured", "by", "exit", "sent", "received"]) ranks[name] = expand(r[name], n, Float64Array);
  ranks.waits = new Float64Array(n).fill(Infinity); // since when it waits for ever
  for (const w of d.waiting) if (w.rank >= d.first && w.rank <= d.last) ranks.waits[w.rank - d.first] = w.since;
  return ranks;
}

// byRank lists, for each row, what belongs to its rank, ordered by time: row i has items[at[i]] up
// to, and without, items[at[i+1]].
function byRank(d, rank, time, wanted) {
  const rows = d.rows_, at = new Int32Array(rows + 1);
  const mine = i => rank[i] >= d.first && rank[i] <= d.last && (!wanted || wanted(i));
  for (let i = 0; i < rank.length; i++) if (mine(i)) at[rank[i] - d.first + 1]++;
  for (let row = 0; row < rows; row++) at[row + 1] += at[row];
  const items = new Int32Array(at[rows]), next = at.slice();
  for (let i = 0; i < rank.length; i++) if (mine(i)) items[next[rank[i] - d.first]++] = i;
  for (let row = 0; row < rows; row++) {
    const some = items.subarray(at[row], at[row + 1]);
    for (let k = 1; k < some.length; k++) {
      if (time[some[k]] < time[some[k - 1]]) { some.sort((a, b) => time[a] - time[b] || a - b); break; }
    }
  }
  return {at, items};
}

// firstNotBefore is the first place from low up to high whose instant is not before t.
function firstNotBefore(low, high, t, timeAt) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeAt(middle) < t) low = middle + 1; else high = middle;
  }
  return low;
}

// underWay calls visit for messages that are neither done nor unsent at an instant.
function underWay(d, t, visit) {
  const m = d.messages;
  for (let i = firstNotBefore(0, m.count, t + 1e-9, k => m.latest[k]); i < m.count && m.sent[i] <= t; i++) {
    if (m.end[i] > t) visit(i);
  }
}

// stateAt is what a rank is at an instant: idle, coloured, crash or hang.
function stateAt(d, row, t) {
  const {at, items} = d.turns.byRank;
  let state = "";
  for (let k = at[row]; k < at[row + 1] && d.turns.time[items[k]] <= t; k++) {
    const what = d.turns.names[d.turns.what[items[k]]];
    if (what === "crash" || what === "hang") state = what;
    if (what === "rejoin") state = "";
  }
  if (state) return state;
  const c = d.ranks.coloured[row];
  return d.spreads && c >= 0 && c <= t ? "coloured" : "idle";
}

// instantsOf lists all instants at which something begins or ends, for stepping.
function instantsOf(d) {
  const all = new Set([0, d.end]);
  for (let i = 0; i < d.messages.count; i++) { all.add(d.messages.sent[i]); all.add(d.messages.end[i]); }
  for (const marks of [d.steps, d.turns]) for (let i = 0; i < marks.count; i++) all.add(marks.time[i]);
  for (let i = 0; i < d.storage.count; i++) { all.add(d.storage.start[i]); all.add(d.storage.end[i]); }
  for (const g of d.guarantees) for (const b of g.bars) { all.add(b.from); if (b.to !== Infinity) all.add(b.to); }
  return Float64Array.from(all).sort();
}
