// What ranks do with their storage: bars among the sends of a rank, since its program does one or the other.

// storesAt reports whether a rank uses its storage at an instant.
function storesAt(d, row, t) {
  const s = d.storage;
  const i = within(s.byRank, row, t, s.longest, s.start, s.end, 0);
  return i >= 0 && s.start[i] < s.end[i] && t < s.end[i];
}

// storageName is what a page calls an operation, as traces do.
function storageName(s, i) {
  const kind = s.kinds[s.kind[i]], name = s.names[s.name[i]];
  if (kind === "forget") return "forget " + changes(s.lost[i]);
  return name ? kind + " " + name : kind;
}

function changes(n) { return n + (n === 1 ? " change" : " changes"); }

// drawStorage draws shapes on the slices: bars that last, and strokes of operations that take no time.
function drawStorage(timeline, g, low, high) {
  const {axes, d} = timeline, s = d.storage, {at, items} = s.byRank;
  if (!s.count || axes.tall - axes.head() < 7) return;
  let count = 0;
  for (let row = low; row < high; row++) {
    const [top, bottom] = lane(axes, row, 0, 1).map(y => y + topMargin);
    for (let k = firstNotBefore(at[row], at[row + 1], axes.from - s.longest, i => s.start[items[i]]); k < at[row + 1]; k++) {
      const i = items[k];
      if (s.start[i] > axes.to || count > mostGlyphs) break;
      if (s.end[i] < axes.from) continue;
      count++;
      const x0 = axes.x(s.start[i]), x1 = axes.x(s.end[i]), kind = s.kinds[s.kind[i]];
      if (x1 - x0 < 4) storageStroke(g, kind, x0, x1, top, bottom);
      else storageBar(timeline, g, i, x0, x1 - 1, top, bottom);
    }
  }
}

// storageBar is drawn over the slice, which has its colour.
function storageBar(timeline, g, i, x0, x1, top, bottom) {
  const {axes, d} = timeline, s = d.storage, kind = s.kinds[s.kind[i]], {solid, lost} = storageShapes[kind];
  const middle = (top + bottom) / 2;
  g.lineWidth = 1.5;
  if (!solid) { // hollow
    g.fillStyle = colours.panel;
    g.fillRect(x0 + 1, top + 1, x1 - x0 - 2, bottom - top - 2);
    g.strokeStyle = lost ? colours.crash : colours.storage;
    if (lost) g.setLineDash([3, 2]);
    g.strokeRect(x0 + 0.75, top + 0.75, x1 - x0 - 1.5, bottom - top - 1.5);
    g.setLineDash([]);
  }
  g.fillStyle = colours.panel;
  g.fillRect(x0 - 0.5, top, 1, bottom - top); // to tell it from the one before
  if (kind === "sync") { // all before it is safe at its end
    g.fillStyle = colours.text;
    g.fillRect(x1 - 2, top - 2, 3, bottom - top + 4);
  }
  g.font = "10px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.textAlign = "left";
  const written = nameInside(timeline, g, i), left = Math.max(x0, axes.left) + 4;
  if (written) {
    g.fillStyle = solid ? colours.panel : lost ? colours.broken : colours.text;
    g.fillText(written, left, middle + 0.5);
  }
  if (kind === "delete") { // a line through it, after its name or from end to end
    const from = written ? left + g.measureText(written).width + 3 : x0 + 2;
    g.fillStyle = colours.panel;
    if (x1 - from > 3) g.fillRect(from, middle - 1, x1 - 2 - from, 2);
  }
  if (lost) cross(g, x1, middle, Math.min(4, (bottom - top) / 2));
}

// nameInside is what is written into the bar of an operation: its name, or its kind, or nothing if there is no room.
function nameInside(timeline, g, i) {
  const {axes, d} = timeline, s = d.storage;
  const room = axes.x(s.end[i]) - Math.max(axes.x(s.start[i]), axes.left) - 10;
  if (room < 8 || axes.tall - axes.head() < 2 * 10) return "";
  return [storageName(s, i), s.kinds[s.kind[i]]].find(name => g.measureText(name).width <= room) || "";
}

function cross(g, x, y, r) {
  g.beginPath();
  g.moveTo(x - r, y - r); g.lineTo(x + r, y + r);
  g.moveTo(x - r, y + r); g.lineTo(x + r, y - r);
  g.lineWidth = 1.8;
  g.strokeStyle = colours.crash;
  g.stroke();
}

// storageStroke is an operation too short for a bar: each kind has a head of its own.
function storageStroke(g, kind, x0, x1, top, bottom) {
  const r = Math.min(4, (bottom - top) / 3), x = (x0 + x1) / 2, {solid, lost} = storageShapes[kind];
  g.fillStyle = lost ? colours.crash : colours.storage;
  g.fillRect(x - 0.75, top, 1.5, bottom - top);
  const y = {"read": bottom - r, "sync": top + r}[kind] ?? (top + bottom) / 2;
  g.beginPath();
  if (kind === "sync") { g.moveTo(x - r, y - r); g.lineTo(x + r, y - r); g.lineTo(x + r, y); g.lineTo(x - r, y); }
  else g.arc(x, y, r * 0.8, 0, 7);
  g.closePath();
  g.fillStyle = solid && kind !== "delete" ? colours.storage : colours.panel;
  g.fill();
  g.lineWidth = 1.2;
  g.strokeStyle = lost ? colours.crash : colours.storage;
  g.stroke();
  if (lost) cross(g, x, y, r);
}

// storageAt finds all operations at a place; those that take no time may be several.
function storageAt(timeline, row, x) {
  const {axes, d} = timeline, s = d.storage;
  if (!s.count) return null;
  const t = axes.time(x), slack = 2.5 * (axes.to - axes.from) / axes.width, {at, items} = s.byRank;
  const last = within(s.byRank, row, t, s.longest, s.start, s.end, slack);
  if (last < 0) return null;
  const found = [];
  for (let k = firstNotBefore(at[row], at[row + 1], s.start[last], i => s.start[items[i]]); k < at[row + 1] && s.start[items[k]] === s.start[last]; k++) found.push(items[k]);
  return {what: "storage", i: last, all: found};
}

function tellStorage(d, found) {
  const s = d.storage, ns = d.tick_ns, of = "rank " + s.rank[found.i];
  const lines = found.all.slice(0, 12).map(i => {
    const kind = s.kinds[s.kind[i]], when = s.start[i] === s.end[i] ? instant(s.start[i], ns) : span(s.start[i], s.end[i], ns);
    const more = {
      "write-lost": ": not complete, " + of + " failed", "sync-lost": ": not complete, " + of + " failed: nothing is safe by it",
      "forget": " that " + (s.lost[i] === 1 ? "was" : "were") + " not safe", "sync": ": all that was changed is safe at its end",
      "read": s.names[s.name[i]] ? "" : " the names of all records",
    }[kind] || "";
    return storageName(s, i) + more + "\n" + of + ", " + when;
  });
  if (found.all.length > lines.length) lines.push("and " + (found.all.length - lines.length) + " more at this instant");
  return lines.join("\n");
}

// tellStored sums up what a rank did with its storage.
function tellStored(d, row) {
  const s = d.storage, {at, items} = s.byRank, count = {};
  let lost = 0;
  for (let k = at[row]; k < at[row + 1]; k++) {
    const kind = s.kinds[s.kind[items[k]]];
    if (kind === "forget") lost += s.lost[items[k]];
    else count[kind] = (count[kind] || 0) + 1;
  }
  const parts = Object.keys(storageShapes).filter(kind => count[kind]).map(kind => kind + " " + count[kind] + "×");
  if (lost) parts.push("lost " + changes(lost));
  return parts.length ? "storage: " + parts.join(", ") : "";
}
