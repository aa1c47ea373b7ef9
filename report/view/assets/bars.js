// Marks of verdicts: bars at the top of the rows of their ranks, with their texts.

// stacked gives each bar of a row a place above or below those of the same time, and returns how many there are at most.
function stacked(bars) {
  const lasts = new Map(); // the last bar in each place, by row
  let depth = 0;
  for (const b of bars) {
    const mine = lasts.get(b.row) || lasts.set(b.row, []).get(b.row);
    let place = mine.findIndex(({from, to}) => to <= b.from && from < b.from);
    if (place < 0) place = mine.length;
    const before = mine[place] ? mine[place].to : -Infinity; // until when its place is taken
    if (mine[place]) mine[place].next = b.from;
    mine[place] = b;
    b.place = place;
    b.next = Infinity;
    b.before = before;
    depth = Math.max(depth, mine.length);
  }
  return depth;
}

const mostPlaces = 8; // of bars above each other with texts; others share the last one

// showBars shows the marks of some verdicts instead of those before.
function showBars(timeline, verdicts) {
  const {axes} = timeline;
  const bars = verdicts.flatMap(g => g.bars).sort((a, b) => a.from - b.from);
  const lowest = axes.tall <= axes.lowest();
  axes.depth = Math.min(mostPlaces, stacked(bars));
  for (const b of bars) b.place = Math.min(b.place, mostPlaces - 1);
  timeline.bars = bars;
  if (lowest) axes.tall = axes.lowest();
  axes.limit();
}

// zoomToBars has the marks of a verdict in sight.
function zoomToBars(timeline, bars) {
  if (!bars.length) return;
  const guilty = bars.find(b => b.guilty) || bars[0], rows = bars.map(b => b.row);
  const ends = bars.map(b => b.to === Infinity ? b.from : b.to);
  const least = (a, b) => Math.min(a, b), most = (a, b) => Math.max(a, b);
  timeline.axes.show(bars[0].from, ends.reduce(most), rows.reduce(least), rows.reduce(most), guilty.row);
}

// boxOf is where a bar is: left, top, right and bottom.
function boxOf(timeline, b) {
  const {axes, d} = timeline;
  const x0 = axes.x(b.from), x1 = b.to === Infinity ? Math.max(x0, axes.x(d.end) + 6) : axes.x(b.to);
  const tall = axes.barsTall() ? barTall : (axes.tall - 1) / Math.max(1, axes.depth), top = axes.y(b.row) + b.place * tall;
  return [x0, top + (tall > 5 ? 1 : 0), Math.max(x1, x0 + 2), top + Math.max(2, tall - (tall > 5 ? 1 : 0))];
}

function drawBars(timeline, g, low, high) {
  const {axes, bars} = timeline;
  if (!bars.length) return;
  const roomy = axes.barsTall() > 0;
  g.font = "10px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.textAlign = "left";
  for (const guilty of [false, true]) { // what is wrong stands above the rest
    let drawn = 0;
    for (const b of bars) {
      if (b.guilty !== guilty || b.row < low || b.row >= high || b.from > axes.to || b.to < axes.from) continue;
      if (drawn++ > mostGlyphs) break;
      drawBar(timeline, g, b, roomy);
    }
  }
}

function drawBar(timeline, g, b, roomy) {
  const {axes} = timeline, [x0, y0, x1, y1] = boxOf(timeline, b), tall = y1 - y0;
  g.globalAlpha = roomy ? 1 : b.guilty ? 0.45 : 0.3; // what is below must be seen
  g.fillStyle = b.guilty ? colours["tint-broken"] : colours.mark;
  g.fillRect(x0, y0, x1 - x0, tall);
  g.globalAlpha = 1;
  g.strokeStyle = b.guilty ? colours.broken : colours.soft;
  g.lineWidth = b.guilty ? 2 : 1;
  g.beginPath();
  if (b.to === Infinity) { // open, since it never ended
    g.moveTo(x1, y0); g.lineTo(x0, y0); g.lineTo(x0, y1); g.lineTo(x1, y1);
  } else g.rect(x0, y0, x1 - x0, tall);
  g.stroke();
  if (tall < 10) return;
  const left = Math.max(x0, axes.left) + 4, text = (b.guilty ? "✕ " : "") + b.text + (b.to === Infinity ? " …" : "");
  const beside = x1 - x0 < 6; // an instant has its text on its right, as far as nothing else is there
  const room = beside ? Math.min(axes.x(b.next), axes.left + axes.width) - x1 - 6 : Math.min(x1, axes.left + axes.width) - left - 3;
  let shown = fitted(g, text, room), at = beside ? x1 + 3 : left;
  if (shown !== text && b.next === Infinity && beside) { // at the end of the page it has more room on its left
    const other = fitted(g, text, x0 - Math.max(axes.x(b.before), axes.left) - 6);
    if (other === text) [shown, at] = [other, x0 - 4 - g.measureText(other).width];
  }
  if (!shown) return;
  g.fillStyle = b.guilty ? colours.broken : colours["mark-text"];
  g.fillText(shown, at, (y0 + y1) / 2 + 0.5);
}

// fitted is a text, or as much of it as there is room for; "" if that would say nothing.
function fitted(g, text, room) {
  if (room < 8) return "";
  if (text.length < 200 && g.measureText(text).width <= room) return text;
  let low = 0, high = Math.min(text.length, 200);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (g.measureText(text.slice(0, middle) + "…").width <= room) low = middle; else high = middle - 1;
  }
  return low < 3 ? "" : text.slice(0, low) + "…";
}

function barAt(timeline, x, y) {
  let found = null;
  timeline.bars.forEach((b, i) => {
    const [x0, y0, x1, y1] = boxOf(timeline, b);
    if (x >= x0 - 2 && x <= x1 + 2 && y >= y0 && y <= y1 && (!found || b.guilty)) found = {what: "bar", i};
  });
  return found;
}

function tellBar(d, b) {
  const ns = d.tick_ns, when = b.to === Infinity ? "from " + instant(b.from, ns) + " on, never ended" : b.to === b.from ? instant(b.from, ns) : span(b.from, b.to, ns);
  return b.text + "\nrank " + (b.row + d.first) + ", " + when + "\n" + (b.guilty ? "this is what is wrong: " : "marked by: ") + b.of.name + " (" + b.of.verdict + ")";
}
