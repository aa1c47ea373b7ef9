// The current time, and what moves it.

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8];
const usualLength = 12; // seconds to play what is in sight, at speed 1

class Player {
  constructor(d, inSight, show) {
    Object.assign(this, {d, inSight, show, now: 0, speed: 1, playing: false});
    const find = id => document.getElementById(id);
    this.slider = find("slider");
    this.slider.max = d.end;
    this.label = find("now");
    this.slider.addEventListener("input", () => { this.pause(); this.go(Number(this.slider.value)); });
    find("play").addEventListener("click", () => this.toggle());
    find("step").addEventListener("click", e => e.shiftKey ? this.event(1) : this.tick(1));
    find("step-back").addEventListener("click", e => e.shiftKey ? this.event(-1) : this.tick(-1));
    find("to-start").addEventListener("click", () => { this.pause(); this.go(0); });
    find("to-end").addEventListener("click", () => { this.pause(); this.go(d.end); });
    const select = find("speed");
    for (const s of speeds) select.append(new Option(s + "×", s, s === 1, s === 1));
    select.addEventListener("change", () => { this.speed = Number(select.value); });
  }

  // go sets the current time.
  go(t) {
    this.now = Math.min(this.d.end, Math.max(0, t));
    this.slider.value = Math.round(this.now);
    const shown = Math.floor(this.now + 1e-9);
    this.label.textContent = instant(shown, this.d.tick_ns);
    this.slider.setAttribute("aria-valuetext", this.label.textContent);
    this.show(this.now);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  play() {
    if (this.now >= this.d.end) this.go(0);
    this.playing = true;
    this.mark();
    let last = performance.now();
    const frame = at => {
      if (!this.playing) return;
      const dt = Math.min(0.25, Math.max(0, (at - last) / 1000)); // seconds; after a pause of the page, not all of it
      last = at;
      this.go(this.now + dt * this.speed * Math.min(Math.max(1, this.d.end), this.inSight()) / usualLength);
      if (this.now >= this.d.end) this.pause(); else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    this.playing = false;
    this.mark();
  }

  mark() {
    document.body.classList.toggle("playing", this.playing);
    document.getElementById("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  // tick goes to a whole tick.
  tick(direction) {
    this.pause();
    this.go(direction > 0 ? Math.floor(this.now + 1e-9) + 1 : Math.ceil(this.now - 1e-9) - 1);
  }

  // event goes to the next instant at which something happens.
  event(direction) {
    this.pause();
    const all = this.d.instants;
    const k = direction > 0 ? firstNotBefore(0, all.length, this.now + 1e-6, i => all[i]) : firstNotBefore(0, all.length, this.now - 1e-6, i => all[i]) - 1;
    this.go(all[Math.min(all.length - 1, Math.max(0, k))]);
  }

  // key handles a key of the player; false if it is none.
  key(e) {
    const keys = {
      " ": () => this.toggle(), ".": () => this.tick(1), ",": () => this.tick(-1), ">": () => this.event(1), "<": () => this.event(-1),
      "Home": () => { this.pause(); this.go(0); }, "End": () => { this.pause(); this.go(this.d.end); },
    };
    if (!keys[e.key]) return false;
    keys[e.key]();
    return true;
  }
}
