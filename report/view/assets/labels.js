// Names of steps, and of operations of storage that are too short to have their names inside, above the slices of a rank. A name that would run into the
// next one is left out: zooming in makes room, and hovering says it in any case.

function drawLabels(timeline, g, low, high) {
  const {axes} = timeline;
  timeline.labels = []; // where they are, for the mouse
  if (!axes.labelsTall()) return;
  g.font = "10px system-ui, sans-serif";
  g.textBaseline = "middle";
  g.textAlign = "left";
  let count = 0;
  for (let row = low; row < high && count < mostGlyphs; row++) {
    const groups = labelsOf(timeline, g, row), y = axes.y(row) + axes.barsTall() + labelTall / 2 + 0.5;
    count += groups.length;
    let free = axes.left; // nothing is written from here on
    groups.forEach((group, k) => {
      if (group.x < axes.left - 1) return;
      const next = k + 1 < groups.length ? groups[k + 1].x - 3 : axes.left + axes.width;
      const right = next - group.x - 4, left = group.x - 4 - free, [first, ...rest] = group.names;
      const texts = [group.names.join(", "), rest.length ? first + " +" + rest.length : ""].filter(name => name);
      const width = name => g.measureText(name).width;
      free = group.x + 3;
      let text = texts.find(name => width(name) <= right), x = group.x + 4;
      if (!text && k + 1 === groups.length && (text = texts.find(name => width(name) <= left))) x = group.x - 4 - width(text); // at the end of the page
      if (!text) return;
      const wide = width(text);
      free = Math.max(free, x + wide + 3);
      g.lineWidth = 3;
      g.lineJoin = "round";
      g.strokeStyle = colours.panel;
      g.strokeText(text, x, y); // clears what is behind it
      g.fillStyle = group.lost ? colours.broken : colours.text;
      g.fillText(text, x, y);
      timeline.labels.push({row, x0: Math.min(x, group.x), x1: Math.max(x + wide, group.x), y, text, all: group.all});
    });
  }
}

// labelsOf lists the names of a row from left to right: those at the same pixels together.
function labelsOf(timeline, g, row) {
  const {axes, d} = timeline, all = [], near = 3 * (axes.to - axes.from) / axes.width;
  const collect = (what, list, start, name, whole, lost) => {
    const {at, items} = list;
    for (let k = firstNotBefore(at[row], at[row + 1], axes.from - near, i => start[items[i]]); k < at[row + 1] && all.length < mostGlyphs; k++) {
      const i = items[k];
      if (start[i] > axes.to) break;
      const text = name(i);
      if (text) all.push({t: start[i], name: text, whole: whole(i), lost: lost(i), of: {what, i}});
    }
  };
  const s = d.storage;
  const outside = i => storageName(s, i).slice(nameInside(timeline, g, i).length).trimStart(); // what its bar does not say
  const step = i => d.steps.names[d.steps.what[i]];
  collect("step", d.steps.byRank, d.steps.time, step, step, () => false);
  if (s.count) collect("storage", s.byRank, s.start, outside, i => storageName(s, i), i => !!storageShapes[s.kinds[s.kind[i]]].lost);
  all.sort((a, b) => a.t - b.t);
  const groups = [];
  for (const {t, name, whole, lost, of} of all) {
    const x = axes.x(t), last = groups[groups.length - 1];
    if (last && x - last.x < 3) {
      last.names = [...last.wholes, whole]; // beside others each needs all of its name
      last.wholes.push(whole);
      last.all.push(of);
      last.lost = last.lost && lost;
    } else groups.push({x, names: [name], wholes: [whole], all: [of], lost});
  }
  return groups;
}

// labelAt finds a name, which tells of all that it stands for.
function labelAt(timeline, x, y) {
  const found = timeline.labels.find(l => x >= l.x0 && x <= l.x1 && Math.abs(y - l.y) <= labelTall / 2);
  return found ? oneOrAll(timeline.d, found.all) : null;
}

function oneOrAll(d, all) {
  if (all.length > 1) return {what: "several", all};
  return all[0].what === "storage" ? {...all[0], all: [all[0].i]} : all[0];
}
