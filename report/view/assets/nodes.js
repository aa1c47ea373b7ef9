// Ranks as dots, as the tree and the ring show them.

// drawNode draws a rank in the state it is in. Each state has a shape of its own.
function drawNode(g, x, y, r, state) {
  if (state === "crash") return shapes.crash(g, x, y, Math.max(1.5, r * 0.9));
  g.beginPath();
  if (state === "hang") g.rect(x - r, y - r, 2 * r, 2 * r);
  else g.arc(x, y, r, 0, 7);
  if (state === "idle") {
    g.fillStyle = colours.panel;
    g.fill();
    g.lineWidth = Math.min(1.5, Math.max(0.75, r / 3));
    g.strokeStyle = colours.idle;
    g.stroke();
    return;
  }
  g.fillStyle = state === "hang" ? colours.hang : colours.coloured;
  g.fill();
}

// drawNodes draws all ranks, a diamond around those that wait for ever, and a ring around those that use their storage. It returns how many these are.
function drawNodes(g, d, t, place, r) {
  let storing = 0;
  for (let row = 0; row < d.rows_; row++) {
    const [x, y] = place(row);
    drawNode(g, x, y, r, stateAt(d, row, t));
    if (d.ranks.waits[row] <= t && t >= d.end) shapes.waits(g, x, y, r + 3);
    if (d.storage.count && storesAt(d, row, t)) {
      ringAround(g, x, y, r + 2.5);
      storing++;
    }
  }
  return storing;
}

// ringAround marks a rank that uses its storage.
function ringAround(g, x, y, r) {
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  g.lineWidth = 2;
  g.strokeStyle = colours.storage;
  g.stroke();
}

const mostDots = 3000;

// drawFlights draws the messages under way, each as a dot that is as far along as the message.
// place returns nothing for ranks that are not drawn.
function drawFlights(g, d, t, place, r) {
  const m = d.messages, dots = [];
  underWay(d, t, i => {
    const to = place(m.to[i] - d.first), from = place(m.from[i] - d.first);
    if (!to || !from || m.fate[i] === fate.unsent || dots.length >= mostDots) return;
    const along = Math.min(1, Math.max(0, (t - m.sent[i]) / Math.max(1e-9, m.end[i] - m.sent[i])));
    dots.push([from, to, from[0] + (to[0] - from[0]) * along, from[1] + (to[1] - from[1]) * along, m.kind[i]]);
  });
  g.beginPath();
  for (const [from, to] of dots) { g.moveTo(from[0], from[1]); g.lineTo(to[0], to[1]); }
  g.lineWidth = dots.length > 300 ? 0.4 : dots.length > 40 ? 0.6 : 1;
  g.strokeStyle = colours.message;
  g.stroke();
  const size = Math.max(2, Math.min(r, 3.5));
  if (d.kinds.length > 1) { // shapes must be larger than dots to be told apart
    const large = Math.max(1.5, Math.min(r, dots.length > 60 ? 2.2 : 4));
    for (const [, , x, y, kind] of dots) {
      g.beginPath();
      traceKind(g, kind, x, y, large);
      g.fillStyle = colours[shapeColour(kind)];
      g.fill();
    }
    return dots.length;
  }
  g.fillStyle = colours.send;
  for (const [, , x, y] of dots) g.fillRect(x - size / 2, y - size / 2, size, size);
  return dots.length;
}

// nearestNode finds the rank whose dot is near a place; -1 if none is.
function nearestNode(d, place, x, y, reach) {
  let best = -1, nearest = reach;
  for (let row = 0; row < d.rows_; row++) {
    const [nx, ny] = place(row);
    const distance = Math.hypot(nx - x, ny - y);
    if (distance <= nearest) { nearest = distance; best = row; }
  }
  return best;
}

// labelNodes writes numbers next to dots, if there is room for all.
function labelNodes(g, d, place, r) {
  g.font = "10px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.fillStyle = colours.soft;
  for (let row = 0; row < d.rows_; row++) {
    const [x, y, dx, dy] = place(row);
    g.textAlign = dx > 0.3 ? "left" : dx < -0.3 ? "right" : "center";
    g.fillText(String(row + d.first), x + dx * (r + 4), y + dy * (r + 7));
  }
}
