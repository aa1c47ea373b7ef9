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

// drawNodes draws all ranks, and a ring around those that wait for ever.
function drawNodes(g, d, t, place, r) {
  for (let row = 0; row < d.rows_; row++) {
    const [x, y] = place(row);
    drawNode(g, x, y, r, stateAt(d, row, t));
    if (d.ranks.waits[row] <= t && t >= d.end) shapes.waits(g, x, y, r + 3);
  }
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
    dots.push([from, to, from[0] + (to[0] - from[0]) * along, from[1] + (to[1] - from[1]) * along]);
  });
  g.beginPath();
  for (const [from, to] of dots) { g.moveTo(from[0], from[1]); g.lineTo(to[0], to[1]); }
  g.lineWidth = dots.length > 300 ? 0.4 : dots.length > 40 ? 0.6 : 1;
  g.strokeStyle = colours.message;
  g.stroke();
  g.fillStyle = colours.send;
  const size = Math.max(2, Math.min(r, 3.5));
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
