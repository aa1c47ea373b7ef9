// The tree of who coloured whom. Its nodes are the ranks that are drawn, by their rows, then those
// above them that are not.

class Tree {
  constructor(canvas, d) {
    this.canvas = canvas;
    this.d = d;
    this.grow();
    this.arrange();
  }

  // grow finds out who is below whom.
  grow() {
    const d = this.d, n = d.rows_, all = n + d.above.count;
    const outside = new Map();
    d.above.rank.forEach((rank, i) => outside.set(rank, n + i));
    const node = rank => rank >= d.first && rank <= d.last ? rank - d.first : outside.get(rank) ?? -1;
    this.coloured = Float64Array.from({length: all}, (_, i) => i < n ? d.ranks.coloured[i] : d.above.coloured[i - n]);
    this.parent = new Int32Array(all).fill(-1);
    this.depth = new Float64Array(all);
    this.children = Array.from({length: all}, () => []);
    this.roots = [];
    this.order = Array.from({length: all}, (_, i) => i).filter(i => this.coloured[i] >= 0);
    this.order.sort((a, b) => this.coloured[a] - this.coloured[b] || a - b);
    for (const i of this.order) {
      const by = i < n ? d.ranks.by[i] : d.above.by[i - n], above = by < 0 ? -1 : node(by);
      if (above < 0 || this.coloured[above] < 0 || this.coloured[above] >= this.coloured[i]) { this.roots.push(i); continue; }
      this.parent[i] = above;
      this.depth[i] = this.depth[above] + 1; // it was coloured before, so its depth is known
      this.children[above].push(i);
    }
  }

  // arrange gives each node a column: leaves stand side by side in the order in which they were
  // coloured, others above the middle of those they coloured. Ranks that nothing reached stand below.
  arrange() {
    const d = this.d;
    this.column = new Float64Array(this.parent.length);
    let column = 0;
    for (const root of this.roots) {
      const stack = [[root, 0]];
      while (stack.length) {
        const top = stack[stack.length - 1], mine = this.children[top[0]];
        if (top[1] < mine.length) { stack.push([mine[top[1]++], 0]); continue; }
        this.column[top[0]] = mine.length ? (this.column[mine[0]] + this.column[mine[mine.length - 1]]) / 2 : column++;
        stack.pop();
      }
    }
    this.columns = Math.max(1, column);
    const deepest = this.depth.reduce((a, b) => Math.max(a, b), 0);
    this.unreached = [];
    for (let row = 0; row < d.rows_; row++) if (this.coloured[row] < 0) this.unreached.push(row);
    this.unreached.forEach((row, i) => {
      this.depth[row] = deepest + 2;
      this.column[row] = (i + 0.5) * this.columns / this.unreached.length - 0.5;
    });
    this.levels = deepest + (this.unreached.length ? 2 : 0);
  }

  // fit computes where nodes are.
  fit(width, height) {
    const side = this.d.rows_ <= 40 ? 28 : 20, top = 14, bottom = 16;
    const wide = (width - 2 * side) / Math.max(1, this.columns - 1), high = (height - top - bottom) / Math.max(1, this.levels);
    this.radius = Math.max(1.2, Math.min(6, wide * 0.38, high * 0.3));
    const middle = this.columns === 1;
    this.at = i => [middle ? width / 2 : side + this.column[i] * wide, top + this.depth[i] * high, 1, 0];
    this.place = row => row < 0 || row >= this.d.rows_ ? null : this.at(row);
  }

  draw(t) {
    const g = sized(this.canvas);
    if (!g) return;
    const d = this.d, box = this.canvas.parentElement;
    this.fit(box.clientWidth, box.clientHeight);
    this.edges(g, t, false);
    this.edges(g, t, true);
    this.dots = drawFlights(g, d, t, this.place, this.radius);
    for (let i = d.rows_; i < this.parent.length; i++) {
      const [x, y] = this.at(i);
      drawNode(g, x, y, Math.max(1, this.radius * 0.6), this.coloured[i] <= t ? "coloured" : "idle");
    }
    drawNodes(g, d, t, this.place, this.radius);
    if (d.rows_ <= 40 && this.radius > 3) labelNodes(g, d, this.place, this.radius);
    if (this.unreached.length) {
      g.fillStyle = colours.soft;
      g.textAlign = "left";
      g.textBaseline = "middle";
      g.fillText("never coloured", 16, this.place(this.unreached[0])[1] - 14);
    }
  }

  edges(g, t, reached) {
    g.beginPath();
    for (const i of this.order) {
      if (this.parent[i] < 0 || this.coloured[i] <= t !== reached) continue;
      const [x0, y0] = this.at(this.parent[i]), [x1, y1] = this.at(i);
      g.moveTo(x0, y0);
      g.lineTo(x1, y1);
    }
    g.lineWidth = this.radius < 2.5 ? 0.6 : 1.2;
    g.strokeStyle = reached ? colours.coloured : colours.rule;
    g.stroke();
  }
}
