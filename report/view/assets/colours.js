// Colours come from the style sheet, so that light and dark are decided in one place.

const colourNames = ["back", "panel", "text", "soft", "rule", "send", "receive", "notice", "coloured", "crash", "hang", "slow",
  "idle", "tint-coloured", "tint-crash", "tint-hang", "message", "storage", "storage-soft", "mark", "mark-text", "broken", "tint-broken",
  "kind-1", "kind-2", "kind-3", "kind-4", "kind-5"];

let colours = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = {};
  for (const name of colourNames) colours[name] = style.getPropertyValue("--" + name).trim();
}

// packed is a colour as a pixel of an image: alpha, blue, green, red.
function packed(name) {
  const hex = parseInt(colours[name].slice(1), 16);
  return (0xff000000 | (hex & 0xff) << 16 | (hex & 0xff00) | hex >> 16) >>> 0;
}

// Failures have a shape as well as a colour.
const shapes = {
  crash(g, x, y, r) {
    g.beginPath();
    g.moveTo(x - r, y - r); g.lineTo(x + r, y + r);
    g.moveTo(x - r, y + r); g.lineTo(x + r, y - r);
    g.lineWidth = Math.max(2, r / 2.2);
    g.strokeStyle = colours.crash;
    g.stroke();
  },
  hang(g, x, y, r) {
    g.fillStyle = colours.hang;
    g.fillRect(x - r, y - r, r * 0.8, 2 * r);
    g.fillRect(x + r * 0.2, y - r, r * 0.8, 2 * r);
  },
  rejoin(g, x, y, r) { triangle(g, x, y, r, -1, colours.coloured); },
  slow(g, x, y, r) { triangle(g, x, y, r, 1, colours.slow); },
  coloured(g, x, y, r) {
    g.beginPath();
    g.arc(x, y, r, 0, 7);
    g.fillStyle = colours.coloured;
    g.fill();
  },
  waits(g, x, y, r) {
    g.beginPath();
    g.moveTo(x, y - r); g.lineTo(x + r, y); g.lineTo(x, y + r); g.lineTo(x - r, y);
    g.closePath();
    g.lineWidth = 2;
    g.strokeStyle = colours.text;
    g.stroke();
  },
};

// Kinds of messages have a colour and a shape, too, if there are several. The first one has the colour that messages have where there is one kind.
function kindColour(kind) { return colours[kind % 6 ? "kind-" + kind % 6 : "message"]; }
function shapeColour(kind) { return kind % 6 ? "kind-" + kind % 6 : "text"; } // lines are pale

// kindPath is the outline of a kind's shape, in units of its radius.
const kindPaths = [
  [[-1, -1], [1, -1], [1, 1], [-1, 1]], // square
  [[0, -1.3], [1.2, 1], [-1.2, 1]], // triangle
  [[0, -1.4], [1.4, 0], [0, 1.4], [-1.4, 0]], // diamond
  [[-1.2, -1], [1.2, -1], [0, 1.3]], // triangle, point down
  [[-1.4, -0.5], [1.4, -0.5], [1.4, 0.5], [-1.4, 0.5]], // lying bar
];
function kindPath(kind) { return kindPaths[kind % kindPaths.length]; }

function traceKind(g, kind, x, y, r) {
  const path = kindPath(kind);
  g.moveTo(x + path[0][0] * r, y + path[0][1] * r);
  for (const [dx, dy] of path.slice(1)) g.lineTo(x + dx * r, y + dy * r);
  g.closePath();
}

function triangle(g, x, y, r, direction, colour) {
  g.beginPath();
  g.moveTo(x - r, y - direction * r); g.lineTo(x + r, y - direction * r); g.lineTo(x, y + direction * r);
  g.closePath();
  g.fillStyle = colour;
  g.fill();
  g.lineWidth = 1;
  g.strokeStyle = colours.text;
  g.stroke();
}

// sized fits a canvas to its box and returns its context in units of the page, or null if nothing
// of it is to be seen.
function sized(canvas) {
  const box = canvas.parentElement;
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(box.clientWidth * ratio), height = Math.round(box.clientHeight * ratio);
  if (!width || !height) return null;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const g = canvas.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "11px system-ui, sans-serif";
  return g;
}
