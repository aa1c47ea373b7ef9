// The timeline: ranks from top to bottom, time from left to right.

const mostLines = 2500; // of messages, drawn at a time
const mostGlyphs = 1500; // of one sort
const mostShapes = 150; // of messages under way

class Timeline {
  constructor(box, d) {
    this.box = box;
    this.d = d;
    [this.canvas, this.over] = box.querySelectorAll("canvas");
    this.axes = new Axes(d);
    this.painter = new Painter();
    this.chosen = null; // what the mouse is on, see hit.js
    this.only = -1; // the kind of messages that have lines; -1: all
    this.bars = []; // marks of verdicts, see bars.js
    this.labels = [];
    this.now = 0;
    this.stats = {frames: 0, last: 0, longest: 0, rectangles: 0, lines: 0, stride: 1, visible: 0};
  }

  // draw draws all but what moves with time and mouse.
  draw() {
    const began = performance.now();
    const g = sized(this.canvas);
    if (!g) return;
    const ratio = window.devicePixelRatio || 1, axes = this.axes;
    axes.resize(this.box.clientWidth, this.box.clientHeight);
    this.slices(g, ratio);
    axes.draw(g);
    g.save();
    g.beginPath();
    g.rect(axes.left, topMargin - 1, axes.width, axes.height + 1);
    g.clip();
    this.links(g, this.d.cuts, colours.crash);
    if (this.d.mends.length) this.links(g, this.d.mends, colours.coloured);
    this.messages(g);
    this.names(g);
    const [low, high] = axes.rows();
    drawStorage(this, g, low, high);
    this.glyphs(g);
    if (axes.labelled) drawLabels(this, g, low, high);
    drawBars(this, g, low, high);
    g.restore();
    this.drawOver();
    const took = performance.now() - began;
    this.stats.frames++;
    this.stats.last = took;
    this.stats.longest = Math.max(this.stats.longest, took);
  }

  slices(g, ratio) {
    const {axes, d, painter} = this;
    painter.begin(g, Math.max(1, Math.round(axes.width * ratio)), Math.max(1, Math.round(axes.height * ratio)));
    const [low, high] = axes.rows();
    const m = d.messages, n = d.notices, s = d.storage;
    for (let row = low; row < high; row++) paintRow(painter, axes, d, row, ratio);
    paintGrid(painter, axes, high, ratio);
    const send = packed("send"), receive = packed("receive"), notice = packed("notice");
    for (let row = low; row < high; row++) {
      const upper = lane(axes, row, 0, ratio), lower = lane(axes, row, 1, ratio);
      paintSlices(painter, axes, m.bySender, row, m.longestSend, m.sent, m.resumed, upper, send, ratio);
      paintSlices(painter, axes, m.byReceiver, row, m.longestReceive, m.start, m.end, lower, receive, ratio);
      if (s.count) {
        paintSlices(painter, axes, s.hollow, row, s.longest, s.start, s.end, upper, packed("storage-soft"), ratio);
        paintSlices(painter, axes, s.solid, row, s.longest, s.start, s.end, upper, packed("storage"), ratio);
      }
      if (n.count) paintSlices(painter, axes, n.byRank, row, n.longest, n.start, n.end, lower, notice, ratio);
    }
    painter.end(g, Math.round(axes.left * ratio), Math.round(topMargin * ratio));
    this.stats.rectangles = painter.painted;
  }

  // inSight lists the messages of which something can be seen: each stride-th of a list of messages
  // in the order of their sends, or of all.
  inSight(stride, list) {
    const {axes, d} = this, m = d.messages, found = [];
    const [low, high] = axes.rows();
    const lowest = low + d.first, highest = high + d.first - 1;
    const count = list ? list.length : m.count;
    const begin = firstNotBefore(0, count, axes.from, k => m.latest[list ? list[k] : k]);
    for (let k = Math.ceil(begin / stride) * stride; k < count; k += stride) {
      const i = list ? list[k] : k;
      if (m.sent[i] > axes.to) break;
      if (m.end[i] < axes.from || this.only >= 0 && m.kind[i] !== this.only) continue;
      if (m.from[i] < lowest && m.to[i] < lowest || m.from[i] > highest && m.to[i] > highest) continue;
      found.push(i);
    }
    return found;
  }

  // messages draws their lines. If there are too many to be told apart, it draws one of so many.
  messages(g) {
    const {axes, d} = this, m = d.messages;
    const sample = 1 << Math.max(0, Math.floor(Math.log2(m.count / 4e4))); // enough to know how many there are
    let stride = sample, some = this.inSight(stride);
    this.stats.visible = some.length * sample;
    while (some.length > mostLines) {
      stride *= 2;
      some = some.filter(i => i % stride === 0);
    }
    while (stride > 1 && some.length < mostLines / 2.5) some = this.inSight(stride /= 2);
    for (let kind = 0; kind < d.kinds.length; kind++) {
      const mine = d.kinds.length > 1 ? some.filter(i => m.kind[i] === kind) : some;
      this.flights(g, mine.filter(i => !m.late[i]), some.length, [], kind);
      this.flights(g, mine.filter(i => m.late[i] && !m.again[i]), some.length, [7, 3], kind);
      this.flights(g, mine.filter(i => m.again[i]), some.length, [2, 3], kind);
    }
    if (d.kinds.length > 1 && some.length <= mostShapes) this.kindShapes(g, some);
    this.stats.lines = some.length;
    this.stats.stride = stride;
    this.losses(g);
  }

  // flights draws the lines of messages, thinner if there are many in all: those of late ones, and of those that are there once more, with dashes.
  flights(g, list, all, dashes, kind) {
    const {axes, d} = this, m = d.messages;
    if (!list.length) return;
    g.beginPath();
    for (const i of list) {
      if (m.fate[i] > fate.lost) continue; // it was not under way
      g.moveTo(axes.x(m.resumed[i]), this.laneY(m.from[i], 0));
      g.lineTo(axes.x(m.start[i]), this.laneY(m.to[i], 1));
    }
    g.lineWidth = all > 600 ? 0.5 : 1;
    g.globalAlpha = all > 1200 ? 0.6 : 1;
    g.strokeStyle = kindColour(kind);
    if (dashes.length) g.setLineDash(dashes);
    g.stroke();
    if (dashes.length) g.setLineDash([]);
    g.globalAlpha = 1;
  }

  // kindShapes puts the shape of its kind on each line that has room for it, nearer to its sender than to its middle, where many lines cross.
  kindShapes(g, list) {
    const {axes, d} = this, m = d.messages;
    for (const i of list) {
      if (m.fate[i] > fate.lost) continue;
      const x0 = axes.x(m.resumed[i]), y0 = this.laneY(m.from[i], 0), x1 = axes.x(m.start[i]), y1 = this.laneY(m.to[i], 1);
      if (Math.hypot(x1 - x0, y1 - y0) < 24) continue;
      g.beginPath();
      traceKind(g, m.kind[i], x0 + (x1 - x0) * 0.4, y0 + (y1 - y0) * 0.4, 3);
      g.fillStyle = colours[shapeColour(m.kind[i])];
      g.fill();
    }
  }

  // losses draws a small cross where messages were lost, each of them unless there are too many.
  losses(g) {
    const {axes, d} = this, m = d.messages;
    g.beginPath();
    for (const i of this.inSight(1, m.lost).slice(0, mostGlyphs)) {
      const r = Math.max(2, Math.min(4, axes.tall / 4));
      const x = axes.x(m.end[i]), y = m.fate[i] === fate.lost ? this.laneY(m.to[i], 1) : this.laneY(m.from[i], 0);
      g.moveTo(x - r, y - r); g.lineTo(x + r, y + r);
      g.moveTo(x - r, y + r); g.lineTo(x + r, y - r);
    }
    g.lineWidth = 1.2;
    g.strokeStyle = colours.crash;
    g.stroke();
  }

  // laneY is the middle of a rank's sends or receives.
  laneY(rank, which) {
    const {axes, d} = this;
    const head = axes.head(), tall = axes.tall - head;
    if (rank < d.first || rank > d.last || tall < 7) return axes.rankY(rank);
    return axes.y(rank - d.first) + head + tall * (which === 0 ? 0.27 : 0.73);
  }

  // names writes the kinds of messages into slices that have room for them.
  names(g) {
    const {axes, d} = this, m = d.messages;
    if (axes.tall - axes.head() < 20 || axes.width / (axes.to - axes.from) * Math.max(m.longestSend, m.longestReceive) < 26) return;
    g.font = "10px system-ui, sans-serif";
    g.textBaseline = "middle";
    g.textAlign = "left";
    const write = (i, from, to, rank, which) => {
      const x0 = Math.max(axes.x(from), axes.left), room = axes.x(to) - x0 - 8, text = d.kinds[m.kind[i]];
      if (rank < d.first || rank > d.last || room < 20 || g.measureText(text).width > room) return;
      g.fillStyle = which === 0 ? colours.panel : "#000000";
      g.fillText(text, x0 + 5, this.laneY(rank, which) + 0.5);
    };
    for (const i of this.inSight(1).slice(0, mostGlyphs)) {
      write(i, m.sent[i], m.resumed[i], m.from[i], 0);
      if (m.fate[i] === fate.received) write(i, m.start[i], m.end[i], m.to[i], 1);
    }
  }

  // links draws when links were cut, or mended.
  links(g, times, colour) {
    g.setLineDash([5, 4]);
    g.strokeStyle = colour;
    g.lineWidth = 1.2;
    for (const t of times) {
      const x = this.axes.x(t);
      g.beginPath();
      g.moveTo(x, topMargin);
      g.lineTo(x, topMargin + this.axes.height);
      g.stroke();
    }
    g.setLineDash([]);
  }

  // glyphs draws steps, colouring, failures and ranks that wait for ever.
  glyphs(g) {
    const {axes, d} = this;
    const [low, high] = axes.rows();
    if (axes.tall >= 9) this.stepMarks(g, low, high);
    for (let row = low; row < high; row++) {
      const y = axes.middle(row), r = Math.max(2, Math.min(4.5, axes.tall * 0.3));
      const c = d.ranks.coloured[row];
      if (d.spreads && c >= 0 && axes.tall >= 5 && c >= axes.from && c <= axes.to) shapes.coloured(g, axes.x(c), y, Math.min(3.2, r));
      if (d.ranks.waits[row] !== Infinity) this.wait(g, row, y, r);
      const {at, items} = d.turns.byRank;
      for (let k = at[row]; k < at[row + 1]; k++) {
        const t = d.turns.time[items[k]];
        if (t >= axes.from && t <= axes.to) shapes[d.turns.names[d.turns.what[items[k]]]](g, axes.x(t), y, Math.max(3.8, r)); // whatever the row, they must be seen
      }
    }
  }

  stepMarks(g, low, high) {
    const {axes, d} = this, {at, items} = d.steps.byRank;
    let count = 0;
    g.fillStyle = colours.text;
    for (let row = low; row < high; row++) {
      const y = axes.y(row) + axes.barsTall(), tall = axes.labelsTall() || Math.max(3, axes.tall * 0.22);
      for (let k = firstNotBefore(at[row], at[row + 1], axes.from, i => d.steps.time[items[i]]); k < at[row + 1]; k++) {
        const t = d.steps.time[items[k]];
        if (t > axes.to || count++ > mostGlyphs) break;
        g.fillRect(Math.round(axes.x(t)) - 0.5, y + 1, 1.5, tall);
      }
    }
  }

  // wait draws a rank that waits for ever, from when it began to.
  wait(g, row, y, r) {
    const x0 = Math.max(this.axes.left, this.axes.x(this.d.ranks.waits[row])), x1 = this.axes.x(this.d.end);
    g.beginPath();
    g.setLineDash([2, 3]);
    g.moveTo(x0, y);
    g.lineTo(x1, y);
    g.strokeStyle = colours.text;
    g.lineWidth = 1;
    g.stroke();
    g.setLineDash([]);
    shapes.waits(g, x1, y, Math.max(2.5, r));
  }

  // drawOver draws the current time and what the mouse is on.
  drawOver() {
    const g = sized(this.over);
    if (!g) return;
    const {axes} = this;
    const x = Math.round(axes.x(this.now)) + 0.5; // on a pixel, not between two
    if (x >= axes.left - 1 && x <= axes.left + axes.width + 1) {
      g.strokeStyle = g.fillStyle = colours.text;
      g.lineWidth = 1.5;
      g.beginPath();
      g.moveTo(x, topMargin - 3);
      g.lineTo(x, topMargin + axes.height);
      g.stroke();
      g.beginPath();
      g.moveTo(x - 5, topMargin - 9); g.lineTo(x + 5, topMargin - 9); g.lineTo(x, topMargin - 2);
      g.fill();
    }
    if (this.chosen) outline(this, g, this.chosen);
  }
}
