// Mouse and keys on the timeline.

class Hand {
  constructor(timeline, tooltip, redraw) {
    Object.assign(this, {timeline, tooltip, redraw, at: -1, atThing: -1});
    const box = timeline.box;
    box.addEventListener("wheel", e => this.wheel(e), {passive: false});
    box.addEventListener("pointerdown", e => this.down(e));
    box.addEventListener("pointermove", e => this.move(e));
    box.addEventListener("pointerup", () => this.up());
    box.addEventListener("pointercancel", () => this.up());
    box.addEventListener("pointerleave", () => { if (!this.held) this.choose(null); });
    box.addEventListener("dblclick", e => { this.timeline.axes.zoom(2, this.place(e)[0]); this.redraw(); });
  }

  place(e) {
    const box = this.timeline.box.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  wheel(e) {
    e.preventDefault();
    const {axes} = this.timeline;
    const [x, y] = this.place(e);
    const delta = e.deltaY || e.deltaX; // with shift, some browsers scroll sideways
    const factor = Math.pow(1.0018, -delta * (e.deltaMode === 1 ? 20 : 1));
    if (e.shiftKey || x < axes.left) axes.zoomRows(factor, y);
    else axes.zoom(factor, x);
    this.choose(null);
    this.redraw();
  }

  down(e) {
    this.held = this.place(e);
    this.timeline.box.setPointerCapture(e.pointerId);
  }

  move(e) {
    const [x, y] = this.place(e);
    if (this.held) {
      if (!this.dragged && Math.hypot(x - this.held[0], y - this.held[1]) < 3) return;
      this.dragged = true;
      this.timeline.box.classList.add("dragging");
      this.choose(null);
      this.timeline.axes.move(this.held[0] - x, this.held[1] - y);
      this.held = [x, y];
      this.redraw();
      return;
    }
    this.choose(hit(this.timeline, x, y), e.clientX, e.clientY);
  }

  up() {
    this.held = null;
    this.dragged = false;
    this.timeline.box.classList.remove("dragging");
  }

  // choose shows what the mouse is on, next to it.
  choose(found, x, y) {
    const {timeline, tooltip} = this;
    const same = JSON.stringify(found) === JSON.stringify(timeline.chosen);
    if (!found && same) return;
    if (!same) {
      timeline.chosen = found;
      timeline.drawOver();
      tooltip.hidden = !found;
      if (!found) return;
      tooltip.textContent = tell(timeline.d, found, timeline);
    }
    const width = tooltip.offsetWidth, height = tooltip.offsetHeight;
    tooltip.style.left = Math.max(4, x + 14 + width > innerWidth ? x - width - 10 : x + 14) + "px";
    tooltip.style.top = Math.max(4, y + 16 + height > innerHeight ? y - height - 10 : y + 16) + "px";
  }

  // next goes from message to message without a mouse.
  next(direction) {
    const {timeline} = this, m = timeline.d.messages;
    if (!m.count) return;
    this.at = Math.min(m.count - 1, Math.max(0, this.at + direction));
    if (timeline.axes.reveal(m.sent[this.at])) this.redraw();
    const box = timeline.box.getBoundingClientRect();
    this.choose({what: "message", i: this.at}, box.left + timeline.axes.x(m.end[this.at]), box.top + timeline.laneY(m.to[this.at], 1));
  }

  // nextThing goes, without a mouse, to the next step, failure, operation of storage or mark that is shown.
  nextThing(direction) {
    const {timeline} = this, {axes} = timeline, all = things(timeline);
    if (!all.length) return;
    this.atThing = Math.min(all.length - 1, Math.max(0, this.atThing + direction));
    const {t, row, found} = all[this.atThing];
    const moved = axes.reveal(t), hidden = axes.y(row) < topMargin || axes.y(row + 1) > topMargin + axes.height + 1;
    if (hidden) axes.row0 = row + 0.5 - axes.height / axes.tall / 2;
    axes.limit();
    if (moved || hidden) this.redraw();
    const box = timeline.box.getBoundingClientRect();
    this.choose(found, box.left + axes.x(t), box.top + axes.y(row + 1));
  }

  // key handles a key of the timeline; false if it is none.
  key(e) {
    const {axes} = this.timeline;
    const middle = axes.left + axes.width / 2, centre = topMargin + axes.height / 2;
    const step = axes.width / 10;
    const keys = {
      "+": () => axes.zoom(1.4, middle),
      "=": () => axes.zoom(1.4, middle),
      "-": () => axes.zoom(1 / 1.4, middle),
      "r": () => axes.zoomRows(1.4, centre),
      "R": () => axes.zoomRows(1 / 1.4, centre),
      "0": () => axes.everything(),
      "ArrowLeft": () => axes.move(-step, 0),
      "ArrowRight": () => axes.move(step, 0),
      "ArrowUp": () => axes.move(0, -axes.height / 6),
      "ArrowDown": () => axes.move(0, axes.height / 6),
      "[": () => this.next(-1),
      "]": () => this.next(1),
      "{": () => this.nextThing(-1),
      "}": () => this.nextThing(1),
    };
    if (!keys[e.key]) return false;
    keys[e.key]();
    this.redraw();
    return true;
  }
}

// things are all steps, failures, operations of storage and marks, in the order of their times, as hit finds them.
function things(timeline) {
  const {d, bars} = timeline, all = [];
  for (let i = 0; i < d.steps.count; i++) all.push({t: d.steps.time[i], row: d.steps.rank[i] - d.first, found: {what: "step", i}});
  for (let i = 0; i < d.turns.count; i++) all.push({t: d.turns.time[i], row: d.turns.rank[i] - d.first, found: {what: "turn", i, row: d.turns.rank[i] - d.first}});
  for (let i = 0; i < d.storage.count; i++) all.push({t: d.storage.start[i], row: d.storage.rank[i] - d.first, found: {what: "storage", i, all: [i]}});
  bars.forEach((b, i) => all.push({t: b.from, row: b.row, found: {what: "bar", i}}));
  return all.sort((a, b) => a.t - b.t || a.row - b.row);
}
