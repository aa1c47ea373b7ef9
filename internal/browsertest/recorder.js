// Notes what is drawn on canvases, as words, and gives them sizes that do not depend on the fonts of a machine.
window.drawn = {};

(() => {
  const number = v => typeof v === "number" ? Math.round(v * 10) / 10 : v;
  const canvasName = c => (c.closest(".canvas") || {id: "?"}).id + (c.classList.contains("over") ? " over" : "");
  const note = (g, text) => {
    const name = canvasName(g.canvas);
    (drawn[name] = drawn[name] || []).push(text);
  };
  const sum = image => {
    let h = 2166136261;
    for (const v of image.data) h = Math.imul(h ^ v, 16777619) >>> 0;
    return image.width + " by " + image.height + ", sum " + h;
  };
  const proto = CanvasRenderingContext2D.prototype;
  for (const name of Object.getOwnPropertyNames(proto)) {
    const p = Object.getOwnPropertyDescriptor(proto, name);
    if (p.set) {
      Object.defineProperty(proto, name, {...p, set(v) { note(this, name + " = " + number(v)); p.set.call(this, v); }});
    } else if (name === "measureText") {
      proto[name] = text => ({width: 6 * text.length});
    } else if (typeof p.value === "function" && name !== "createImageData" && name !== "getImageData") {
      proto[name] = function (...args) {
        note(this, name + "(" + args.map(a => a instanceof ImageData ? sum(a) : Array.isArray(a) ? "[" + a.map(number) + "]" : number(a)).join(", ") + ")");
        return p.value.apply(this, args);
      };
    }
  }
  for (const [id, width, height] of [["timeline", 700, 360], ["tree", 300, 240], ["ring", 300, 240], ["curves", 300, 200]]) {
    const box = document.getElementById(id);
    box.style.cssText += `; flex: none; min-width: 0; min-height: 0; width: ${width}px; height: ${height}px`;
  }
})();
