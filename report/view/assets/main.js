// The page: reads the data, makes the parts and draws what has changed, once a frame.

readColours();
const find = id => document.getElementById(id);
const d = readData(find("data").textContent);
const timeline = new Timeline(find("timeline"), d);
// A tree is of ranks that were coloured by others. A ring of one rank or two, or of ranks that send nothing, shows nothing that the timeline does not.
const tree = d.spreads && d.ranks.by.some(by => by >= 0) ? new Tree(find("tree").querySelector("canvas"), d) : null;
const ring = d.rows_ > 2 && d.messages.count ? new Ring(find("ring").querySelector("canvas"), d) : null;
const curves = new Curves(find("curves").querySelector("canvas"), find("curves-note"), d);
find("tree-panel").hidden = !tree;
find("ring-panel").hidden = !ring;
document.body.classList.toggle("few", !tree && !ring);

// stale says what must be drawn again.
const stale = {timeline: false, time: false};
let waiting = false;

function redraw(what) {
  stale[what] = true;
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(draw);
}

function draw() {
  waiting = false;
  const began = performance.now();
  timeline.now = player.now;
  if (stale.timeline) timeline.draw(); else timeline.drawOver();
  drawTime(player.now);
  stale.timeline = stale.time = false;
  frames.count++;
  frames.last = performance.now() - began;
  frames.longest = Math.max(frames.longest, frames.last);
  frames.sum += frames.last;
  find("frame").textContent = "frame " + frames.last.toFixed(1) + " ms";
  const {stride} = timeline.stats;
  find("detail").textContent = stride > 1 ? "1 of " + stride + " messages has a line; zoom in for all" : "";
}

const frames = {count: 0, last: 0, longest: 0, sum: 0};

// drawTime draws what depends on the current time.
function drawTime(t) {
  if (tree) tree.draw(t);
  if (ring) ring.draw(t);
  curves.draw(t);
  if (ring) find("ring-note").textContent = ring.dots + " under way" + (ring.storing ? ", " + ring.storing + (ring.storing === 1 ? " uses" : " use") + " storage" : "");
  if (tree) find("tree-note").textContent = d.rows_ < d.size ? "ranks " + d.first + " to " + d.last : "";
}

const player = new Player(d, () => timeline.axes.to - timeline.axes.from, t => {
  if (player && player.playing && timeline.axes.reveal(t)) redraw("timeline");
  redraw("time");
});
const hand = new Hand(timeline, find("tooltip"), () => redraw("timeline"));

// goTo jumps to an instant and shows the rank.
function goTo(t, rank) {
  player.pause();
  player.go(t);
  timeline.axes.reveal(t);
  if (rank >= d.first && rank <= d.last) {
    timeline.axes.row0 = rank - d.first - timeline.axes.height / timeline.axes.tall / 2;
    timeline.axes.limit();
    timeline.chosen = {what: "rank", row: rank - d.first};
  }
  redraw("timeline");
}

// Marks are shown of what is broken, or of the verdict that was selected, until it is selected again.
const broken = d.guarantees.filter(g => g.verdict === "broken");
let selected = null;

function select(g) {
  selected = g === selected ? null : g;
  for (const other of d.guarantees) for (const b of other.buttons || []) b.setAttribute("aria-pressed", String(other === selected));
  hand.choose(null);
  showBars(timeline, selected ? [selected] : broken);
  if (selected) zoomToBars(timeline, selected.bars);
  redraw("timeline");
}

writeReport(d, goTo, select);
showBars(timeline, broken);
find("curves-per").textContent = d.curves.width === 1 ? "messages a tick" : "messages in " + d.curves.width + " ticks";
find("legend").append(...legendOf(d));
find("kinds").append(...kindsOf(d, kind => { timeline.only = kind; hand.choose(null); redraw("timeline"); }));
find("kinds").hidden = d.kinds.length < 2;

const zooms = {"zoom-in": "+", "zoom-out": "-", "rows-in": "r", "rows-out": "R", "zoom-reset": "0"};
for (const id in zooms) find(id).addEventListener("click", () => hand.key({key: zooms[id]}));

document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const tag = e.target.tagName, scrolls = e.target.closest("aside, input, select");
  if (tag === "SELECT" || tag === "BUTTON" && (e.key === " " || e.key === "Enter")) return;
  if (scrolls && (e.key.startsWith("Arrow") || e.key === "Home" || e.key === "End")) return;
  if (e.key === "Escape" && selected) select(selected);
  if (player.key(e) || hand.key(e)) e.preventDefault();
});

// Dots of the tree and the ring say whose they are.
for (const [id, shown] of [["tree", tree], ["ring", ring]]) {
  find(id).addEventListener("pointermove", e => {
    if (!shown || !shown.place) return;
    const box = find(id).getBoundingClientRect();
    const row = nearestNode(d, shown.place, e.clientX - box.left, e.clientY - box.top, Math.max(8, shown.radius + 2));
    hand.choose(row < 0 ? null : {what: "rank", row}, e.clientX, e.clientY);
  });
  find(id).addEventListener("pointerleave", () => hand.choose(null));
}

// A click on the curves goes there.
find("curves").addEventListener("click", e => {
  const box = find("curves").getBoundingClientRect();
  goTo(Math.round((e.clientX - box.left - curves.left) * (d.end + 1) / curves.wide), -1);
});

new ResizeObserver(() => redraw("timeline")).observe(document.body);
for (const box of document.querySelectorAll(".canvas")) new ResizeObserver(() => redraw("timeline")).observe(box);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); redraw("timeline"); });

// run.html#t=12 opens at that instant.
const asked = /^#t=(\d+)$/.exec(location.hash);
player.go(asked ? Number(asked[1]) : 0);
redraw("timeline");

// What tests look at.
window.mangrove = {data: d, timeline, tree, ring, curves, player, frames, hit: (x, y) => hit(timeline, x, y), bar: i => boxOf(timeline, timeline.bars[i]), colours: () => colours,
  drawNow() { stale.timeline = true; draw(); return frames.last; }};
