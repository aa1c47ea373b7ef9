// Words for numbers.

const timeUnits = [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9]];

// realTime is what a number of ticks stands for, if it stands for anything: "6.4 us".
function realTime(ticks, tickNS) {
  if (!tickNS) return "";
  const ns = ticks * tickNS;
  let best = timeUnits[0];
  for (const unit of timeUnits) if (Math.abs(ns) >= 0.9995 * unit[1]) best = unit;
  return Math.round(1000 * ns / best[1]) / 1000 + " " + best[0];
}

// instant names an instant: "t=64 (6.4 us)".
function instant(t, tickNS) {
  const beside = realTime(t, tickNS);
  return "t=" + whole(t) + (beside ? " (" + beside + ")" : "");
}

// span names the ticks from one instant to another.
function span(from, to, tickNS) {
  const beside = realTime(to, tickNS);
  return "t=" + whole(from) + " to " + whole(to) + (beside ? " (" + beside + ")" : "");
}

// ticks names a time between two instants: "20 ticks (2 us)".
function ticks(n, tickNS) {
  const beside = realTime(n, tickNS);
  return whole(n) + (n === 1 ? " tick" : " ticks") + (beside ? " (" + beside + ")" : "");
}

function whole(t) { return String(Math.round(t)); }

// grouped puts blanks between thousands, which no language mistakes for a decimal point.
function grouped(n) { return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, " "); }

// roundStep is the smallest of 1, 2, 5, 10, 20 ... that is not below x.
function roundStep(x) {
  if (!(x > 1)) return 1;
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  for (const m of [1, 2, 5]) if (m * power >= x * 0.999999) return m * power;
  return 10 * power;
}
