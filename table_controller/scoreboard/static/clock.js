// The big clock: runs by itself between boards.

import { byId, show, write } from "./dom.js";
import { clockTime, say } from "./words.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class BigClock {
  // What carries the clock's classes besides its box: the table's ring, where there is one.
  constructor(dial = byId("clock")) {
    Object.assign(this, { dial, clocks: [], stands: false, silentS: 0, frame: 0 });
  }

  // left_s was true age_s ago.
  set(clocks, ageS, stands) {
    const now = performance.now();
    this.stands = stands;
    this.clocks = clocks.map((clock) => ({
      ...clock,
      endsMs: now + (clock.left_s - (clock.runs ? ageS : 0)) * 1000,
    }));
    this.run();
  }

  leftS(clock) {
    const left = clock.runs ? (clock.endsMs - performance.now()) / 1000 : clock.left_s;
    return Math.min(Math.max(left, 0), clock.length_s);
  }

  // Draws at every frame, but only while something moves.
  run() {
    cancelAnimationFrame(this.frame);
    this.draw();
    if (this.clocks.some((clock) => clock.runs && this.leftS(clock) > 0)) {
      this.frame = requestAnimationFrame(() => this.run());
    }
  }

  draw() {
    const [first, second] = this.clocks;
    const box = byId("clock");
    show(box, Boolean(first));
    show(byId("other"), Boolean(second));
    this.dial.classList.toggle("idle", !first);
    if (!first) return;
    const leftS = this.leftS(first);
    write(byId("clock-digits"), clockTime(leftS));
    write(byId("clock-kind"), this.kindOf(first));
    for (const node of new Set([box, this.dial])) {
      node.classList.toggle("stands", this.stands || !first.runs);
      node.classList.toggle("short", first.runs && leftS < 10 && first.length_s > 10);
    }
    this.drawArc(first.length_s ? (calm.matches ? Math.ceil(leftS) : leftS) / first.length_s : 0);
    if (second) write(byId("other"), `${say(`clock.${second.kind}`)} ${clockTime(this.leftS(second))}`);
  }

  // A clock that was last heard of long ago is a guess, and says so.
  kindOf(clock) {
    if (this.silentS && clock.runs) return say("news.none", { seconds: this.silentS });
    return this.stands ? say("paused") : say(`clock.${clock.kind}`);
  }

  drawArc(share) {
    const part = Math.min(1, share);
    byId("clock-arc").setAttribute("stroke-dasharray", `${(100 * part).toFixed(2)} 100`);
    byId("clock-head")?.setAttribute("transform", `rotate(${(360 * part).toFixed(2)} 500 500)`);
  }
}
