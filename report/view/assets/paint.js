// Slices are painted into an image, pixel by pixel: that takes the same time for one slice and for a
// thousand that fall on the same pixels, which are painted once.

class Painter {
  // begin gets an image for a context of that size, in device pixels.
  begin(g, width, height) {
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = g.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.width = width;
    this.height = height;
    this.pixels.fill(packed("panel"));
    this.painted = 0; // rectangles
  }

  // fill paints a rectangle, cut off at the edges.
  fill(x0, y0, x1, y1, colour) {
    x0 = Math.max(0, x0); x1 = Math.min(this.width, x1);
    y0 = Math.max(0, y0); y1 = Math.min(this.height, y1);
    if (x0 >= x1 || y0 >= y1) return;
    this.painted++;
    const {pixels, width} = this;
    for (let y = y0; y < y1; y++) {
      const end = y * width + x1;
      if (x1 - x0 > 16) pixels.fill(colour, end - x1 + x0, end);
      else for (let i = end - x1 + x0; i < end; i++) pixels[i] = colour; // faster for few
    }
  }

  end(g, x, y) { g.putImageData(this.image, x, y); }
}

// lane is where in a row slices are: sends above receives, if there is room for both, and below what stands above them.
function lane(axes, row, which, ratio) {
  const head = axes.head();
  const top = (axes.y(row) + head - topMargin) * ratio, tall = (axes.tall - head) * ratio;
  if (tall < 7) {
    const y = Math.floor(top);
    return [y, Math.max(y + 1, Math.floor(top + tall) - (tall >= 4 ? 1 : 0))];
  }
  const gap = tall >= 14 ? 2 : 1, middle = Math.floor(top + tall / 2);
  return which === 0 ? [Math.floor(top) + gap, middle] : [middle, Math.floor(top + tall) - gap + 1];
}

// paintSlices paints what the list of a row has, from its first slice in sight on. Slices that would
// not add a pixel are passed over.
function paintSlices(painter, axes, list, row, longest, start, end, band, colour, ratio) {
  const {at, items} = list;
  const scale = axes.width * ratio / (axes.to - axes.from);
  const last = at[row + 1];
  const time = i => start[items[i]];
  let done = -1; // painted up to here
  let passed = axes.from - longest; // what begins before ends there, or before
  for (let k = firstNotBefore(at[row], last, passed, time); k < last; k++) {
    if (start[items[k]] < passed) k = firstNotBefore(k + 1, last, passed, time);
    if (k >= last || start[items[k]] > axes.to) break;
    const i = items[k];
    const x0 = Math.floor((start[i] - axes.from) * scale);
    let x1 = Math.ceil((end[i] - axes.from) * scale);
    if (x1 - x0 > 3) x1--; // so that slices without a pause can be told apart
    x1 = Math.max(x1, x0 + 1);
    if (x1 <= done) continue;
    painter.fill(Math.max(x0, done), band[0], x1, band[1], colour);
    done = x1;
    passed = axes.from + done / scale - longest;
  }
}

// paintRow paints what a row's rank is over time: coloured, crashed, hung.
function paintRow(painter, axes, d, row, ratio) {
  const top = Math.floor((axes.y(row) - topMargin) * ratio);
  const bottom = Math.max(top + 1, Math.floor((axes.y(row + 1) - topMargin) * ratio) - (axes.tall * ratio >= 3 ? 1 : 0));
  const scale = axes.width * ratio / (axes.to - axes.from);
  const x = t => Math.round((t - axes.from) * scale);
  if (row && axes.barsTall()) painter.fill(0, top - 1, painter.width, top, packed("rule")); // whose are they?
  const c = d.ranks.coloured[row];
  if (d.spreads && c >= 0) painter.fill(x(c), top, x(d.end), bottom, packed("tint-coloured"));
  const {at, items} = d.turns.byRank;
  for (let k = at[row]; k < at[row + 1]; k++) {
    const what = d.turns.names[d.turns.what[items[k]]], t = d.turns.time[items[k]];
    if (what === "crash" || what === "hang") painter.fill(x(t), top, x(d.end), bottom, packed("tint-" + what));
    if (what === "rejoin") painter.fill(x(t), top, x(d.end), bottom, packed(d.spreads && c >= 0 ? "tint-coloured" : "panel"));
  }
}

// paintGrid paints a line for each label of the time axis.
function paintGrid(painter, axes, high, ratio) {
  const bottom = Math.min(painter.height, Math.ceil((axes.y(high) - topMargin) * ratio));
  for (const t of axes.marks()) {
    const x = Math.round((axes.x(t) - axes.left) * ratio);
    painter.fill(x, 0, x + 1, bottom, packed("rule"));
  }
}
