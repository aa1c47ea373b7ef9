// The ring of ranks.

class Ring {
  constructor(canvas, d) {
    this.canvas = canvas;
    this.d = d;
  }

  // fit computes where dots are: rank 0 at the top, then clockwise. A part of the ring is drawn
  // with a gap at the top.
  fit(width, height) {
    const n = this.d.rows_, part = n < this.d.size;
    const turn = part ? 2 * Math.PI * 0.94 / Math.max(1, n - 1) : 2 * Math.PI / n, start = part ? 2 * Math.PI * 0.03 : 0;
    const room = Math.min(width, height) / 2, labels = (room - 24) * turn > 7 + 5 * String(this.d.last).length;
    const big = Math.max(20, room - (labels ? 24 : 14));
    this.radius = Math.max(1.3, Math.min(6, big * turn * 0.4));
    this.labels = labels;
    this.place = row => {
      if (row < 0 || row >= n) return null;
      const angle = start + row * turn - Math.PI / 2, c = Math.cos(angle), s = Math.sin(angle);
      return [width / 2 + big * c, height / 2 + big * s, c, s];
    };
    this.centre = [width / 2, height / 2, big];
  }

  draw(t) {
    const g = sized(this.canvas);
    if (!g) return;
    const d = this.d, box = this.canvas.parentElement;
    this.fit(box.clientWidth, box.clientHeight);
    const [x, y, big] = this.centre, part = d.rows_ < d.size;
    g.beginPath();
    g.arc(x, y, big, part ? -Math.PI * 0.44 : 0, part ? Math.PI * 1.44 : 7);
    g.lineWidth = 1;
    g.strokeStyle = colours.rule;
    g.stroke();
    this.dots = drawFlights(g, d, t, this.place, this.radius);
    this.storing = drawNodes(g, d, t, this.place, this.radius);
    if (this.labels) return labelNodes(g, d, this.place, this.radius);
    this.someLabels(g);
  }

  // someLabels writes eight numbers inside the ring.
  someLabels(g) {
    const d = this.d, [x, y, big] = this.centre, n = d.rows_;
    g.fillStyle = colours.soft;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.strokeStyle = colours.panel;
    g.lineWidth = 4;
    for (let k = 0; k < 8; k++) {
      const row = Math.floor(k * n / 8), [, , c, s] = this.place(row);
      g.strokeText(String(row + d.first), x + (big - 20) * c, y + (big - 14) * s); // clears what is behind it
      g.fillText(String(row + d.first), x + (big - 20) * c, y + (big - 14) * s);
    }
  }
}
