// Curves of what all ranks do over time.

class Curves {
  constructor(canvas, note, d) {
    Object.assign(this, {canvas, note, d});
    const c = d.curves;
    this.c = {width: c.width, points: c.points};
    for (const name of ["sent", "received", "lost", "coloured", "down"]) this.c[name] = expand(c[name], c.points, Float64Array);
    this.busiest = Math.max(1, ...this.c.sent, ...this.c.received);
    this.fails = this.c.down.some(v => v > 0);
    this.ranked = d.spreads || this.fails; // a curve counts ranks
    this.left = 12 + 6.8 * (this.ranked ? grouped(d.size).length : 1);
    this.right = 14 + 6.5 * grouped(this.busiest).length;
  }

  x(t) { return this.left + t * (this.wide) / Math.max(1, this.d.end + 1); }

  draw(t) {
    const g = sized(this.canvas);
    if (!g) return;
    const box = this.canvas.parentElement;
    this.wide = box.clientWidth - this.left - this.right;
    this.top = 12;
    this.tall = box.clientHeight - this.top - 20;
    this.frame(g);
    this.bars(g, "sent", colours.send);
    this.bars(g, "received", colours.receive);
    if (this.d.spreads) this.steps(g, "coloured", colours.coloured, 2);
    if (this.fails) this.steps(g, "down", colours.crash, 1.5);
    g.strokeStyle = colours.text;
    g.lineWidth = 1.5;
    g.beginPath();
    const x = Math.round(this.x(t)) + 0.5;
    g.moveTo(x, this.top - 4);
    g.lineTo(x, this.top + this.tall);
    g.stroke();
    this.tell(t);
  }

  // frame has ranks on its left and messages on its right.
  frame(g) {
    const {d} = this, bottom = this.top + this.tall;
    g.strokeStyle = colours.rule;
    g.lineWidth = 1;
    g.strokeRect(this.left + 0.5, this.top + 0.5, this.wide, this.tall);
    g.fillStyle = colours.soft;
    g.textBaseline = "middle";
    if (this.ranked) {
      g.textAlign = "right";
      g.fillText(grouped(d.size), this.left - 4, this.top + 3);
      g.fillText("0", this.left - 4, bottom - 3);
    }
    g.textAlign = "left";
    g.fillText(grouped(this.busiest), this.left + this.wide + 5, this.top + 3);
    g.fillText("0", this.left + this.wide + 5, bottom - 3);
    g.textBaseline = "top";
    g.fillText("t=0", this.left, bottom + 5);
    g.textAlign = "right";
    g.fillText(whole(d.end), this.left + this.wide, bottom + 5);
  }

  // bars draws how many messages there are in each bin, as a line of steps.
  bars(g, name, colour) {
    this.path(g, name, this.busiest);
    g.lineWidth = 1.3;
    g.strokeStyle = colour;
    g.stroke();
  }

  steps(g, name, colour, width) {
    this.path(g, name, this.d.size);
    g.lineWidth = width;
    g.strokeStyle = colour;
    g.stroke();
  }

  path(g, name, most) {
    const {c} = this;
    g.beginPath();
    for (let i = 0; i < c.points; i++) {
      const y = this.top + this.tall * (1 - c[name][i] / most);
      g.lineTo(this.x(i * c.width), y);
      g.lineTo(this.x(Math.min((i + 1) * c.width, this.d.end + 1)), y);
    }
  }

  // tell says what the curves have at the current time.
  tell(t) {
    const {c, d} = this, i = Math.min(c.points - 1, Math.max(0, Math.floor(t / c.width)));
    const parts = [];
    if (d.spreads) parts.push(["coloured", "coloured " + grouped(c.coloured[i])]);
    if (this.fails) parts.push(["crash", "down " + grouped(c.down[i])]);
    parts.push(["send", "sent " + grouped(c.sent[i])], ["receive", "received " + grouped(c.received[i])]);
    this.note.replaceChildren(...parts.map(([colour, text]) => {
      const part = element("span");
      part.append(swatch(colour), " " + text);
      return part;
    }));
  }
}

// swatch is a small square of a colour.
function swatch(name) {
  const s = document.createElement("span");
  s.style.cssText = "display:inline-block;width:9px;height:9px;border-radius:2px;background:var(--" + name + ")";
  return s;
}
