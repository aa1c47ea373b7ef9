// Where instants and ranks are on the timeline.

const topMargin = 20, bottomMargin = 4, rightMargin = 8;
const tallestRow = 64, usualRow = 40;
const barTall = 15; // a mark of a verdict, if it has room for its text
const labelTall = 12; // the names of steps
const portsTall = 16; // as much as sends and receives keep in any case

class Axes {
  constructor(d) {
    this.d = d;
    this.left = 30 + 7 * String(d.last).length; // room for the labels of ranks
    this.labelled = d.steps.count + d.storage.count > 0;
    this.depth = 0; // so many marks of a rank at a time
    this.width = this.height = 1;
    this.everything();
  }

  // everything shows all of the run.
  everything() {
    const pad = Math.max(0.5, this.d.end * 0.015);
    this.from = -pad;
    this.to = this.d.end + pad;
    this.row0 = 0;
    this.tall = this.lowest();
  }

  // resize keeps what is shown, and rows no lower than needed to fill the height.
  resize(width, height) {
    const all = this.tall <= this.lowest();
    this.width = Math.max(1, width - this.left - rightMargin);
    this.height = Math.max(1, height - topMargin - bottomMargin);
    if (all) this.tall = this.lowest();
    this.limit();
  }

  // lowest is the height of a row if all are shown.
  lowest() {
    const tall = Math.min((this.labelled ? tallestRow : usualRow) + barTall * this.depth, this.height / this.d.rows_);
    return tall > 20 ? Math.floor(tall) : tall; // lines between whole pixels are pale
  }

  // barsTall is how much of a row, from its top, only marks of verdicts have; 0 if there is no room for that.
  barsTall() { return this.tall >= barTall * this.depth + portsTall ? barTall * this.depth : 0; }

  // labelsTall is how much of a row, below that, only names have.
  labelsTall() { return this.labelled && this.tall - this.barsTall() >= labelTall + portsTall ? labelTall : 0; }

  // head is both: what is left is for sends and receives.
  head() { return this.barsTall() + this.labelsTall(); }

  x(t) { return this.left + (t - this.from) * this.width / (this.to - this.from); }
  y(row) { return topMargin + (row - this.row0) * this.tall; }
  time(x) { return this.from + (x - this.left) * (this.to - this.from) / this.width; }
  row(y) { return Math.floor(this.row0 + (y - topMargin) / this.tall); }

  // middle is that of what is for sends and receives.
  middle(row) { const head = this.head(); return this.y(row) + head + (this.tall - head) / 2; }

  // rankY is the middle of a rank's row; for ranks that are not drawn it is just outside.
  rankY(rank) {
    const d = this.d;
    if (rank < d.first) return this.y(-0.6);
    if (rank > d.last) return this.y(d.rows_ + 0.6);
    return this.middle(rank - d.first);
  }

  // rows are those that can be seen.
  rows() {
    return [Math.max(0, Math.floor(this.row0)), Math.min(this.d.rows_, Math.ceil(this.row0 + this.height / this.tall))];
  }

  // zoom keeps the instant at x where it is.
  zoom(factor, x) {
    const t = this.time(x);
    const span = Math.max(Math.min(2, this.d.end + 1), Math.min((this.to - this.from) / factor, this.d.end * 1.2 + 2));
    this.from = t - (x - this.left) * span / this.width;
    this.to = this.from + span;
    this.limit();
  }

  // zoomRows keeps the rank at y where it is.
  zoomRows(factor, y) {
    const row = this.row0 + (y - topMargin) / this.tall;
    this.tall = Math.max(this.lowest(), Math.min(tallestRow + barTall * this.depth, this.tall * factor));
    this.row0 = row - (y - topMargin) / this.tall;
    this.limit();
  }

  // move goes that many pixels to the right and down.
  move(dx, dy) {
    const dt = dx * (this.to - this.from) / this.width;
    this.from += dt;
    this.to += dt;
    this.row0 += dy / this.tall;
    this.limit();
  }

  // reveal moves as little as needed to have an instant in sight.
  reveal(t) {
    const span = this.to - this.from;
    if (t >= this.from && t <= this.to - span * 0.05) return false;
    if (t >= this.d.end && this.to >= this.d.end) return false;
    this.from = t < this.from ? t - span * 0.1 : t - span * 0.2;
    this.to = this.from + span;
    this.limit();
    return true;
  }

  // show has a part of the run fill the timeline: instants and, as far as they are tall enough to read, rows.
  show(from, to, low, high, row) {
    const pad = Math.max(1, (to - from) * 0.08), span = Math.min(to - from + 2 * pad, this.d.end * 1.2 + 2);
    this.from = from - pad;
    this.to = this.from + span;
    const readable = barTall * this.depth + labelTall + portsTall;
    this.tall = Math.max(this.lowest(), readable);
    if (this.lowest() < readable) this.tall = Math.max(readable, Math.min(tallestRow + barTall * this.depth, this.height / (high - low + 1)));
    const all = (high - low + 1) * this.tall <= this.height;
    this.row0 = (all ? (low + high + 1) / 2 : row + 0.5) - this.height / this.tall / 2;
    this.limit();
  }

  // limit keeps the run in sight.
  limit() {
    const span = this.to - this.from, pad = Math.max(0.5, this.d.end * 0.015);
    const least = -pad, most = Math.max(least, this.d.end + pad - span);
    this.from = Math.min(Math.max(this.from, least), most);
    this.to = this.from + span;
    this.row0 = Math.min(Math.max(0, this.row0), Math.max(0, this.d.rows_ - this.height / this.tall));
  }

  // marks are the instants that have a line and a label.
  marks() {
    const widest = 12 + 7 * (String(Math.round(this.to)).length + 2);
    const step = roundStep((this.to - this.from) * widest / this.width);
    const all = [];
    for (let t = Math.max(0, Math.ceil(this.from / step) * step); t <= Math.min(this.to, this.d.end + step / 2); t += step) all.push(t);
    return all;
  }

  // draw draws the labels.
  draw(g) {
    g.fillStyle = colours.soft;
    g.textBaseline = "alphabetic";
    g.textAlign = "center";
    for (const t of this.marks()) {
      const x = Math.round(this.x(t)) + 0.5;
      if (x > this.left + 14 && x < this.left + this.width - 12) g.fillText(whole(t), x, topMargin - 7);
    }
    g.textAlign = "left";
    g.fillText("t", this.left + 2, topMargin - 7);
    this.labels(g);
  }

  labels(g) {
    const step = roundStep(13 / this.tall);
    g.textAlign = "right";
    g.textBaseline = "middle";
    const [low, high] = this.rows();
    for (let row = low; row < high; row++) {
      const rank = row + this.d.first;
      const y = this.y(row + 0.5);
      if (rank % step || y < topMargin + 4 || y > topMargin + this.height - 3) continue;
      const state = this.d.ranks.names[this.d.ranks.outcome[row]];
      g.fillStyle = state === "crashed" ? colours.crash : state === "hung" ? colours.hang : colours.soft;
      g.fillText(String(rank), this.left - 8, y);
    }
    g.save();
    g.translate(9, topMargin + Math.min(this.height, this.d.rows_ * this.tall) / 2);
    g.rotate(-Math.PI / 2);
    g.textAlign = "center";
    g.fillStyle = colours.soft;
    g.fillText("rank", 0, 0);
    g.restore();
  }
}
