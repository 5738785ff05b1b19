// The big clock: runs by itself between boards.

import { byId, show, write } from "./dom.js";
import { clockTime, say } from "./words.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class BigClock {
  constructor() {
    this.clocks = [];
    this.stands = false;
    const draw = () => {
      this.draw();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  // left_s was true age_s ago.
  set(clocks, ageS, stands) {
    const now = performance.now();
    this.stands = stands;
    this.clocks = clocks.map((clock) => ({
      ...clock,
      endsMs: now + (clock.left_s - (clock.runs ? ageS : 0)) * 1000,
    }));
    this.draw();
  }

  leftS(clock) {
    const left = clock.runs ? (clock.endsMs - performance.now()) / 1000 : clock.left_s;
    return Math.min(Math.max(left, 0), clock.length_s);
  }

  draw() {
    const [first, second] = this.clocks;
    show(byId("clock"), Boolean(first));
    show(byId("other"), Boolean(second));
    if (!first) return;
    const leftS = this.leftS(first);
    const box = byId("clock");
    write(byId("clock-digits"), clockTime(leftS));
    write(byId("clock-kind"), this.stands ? say("paused") : say(`clock.${first.kind}`));
    box.classList.toggle("stands", this.stands || !first.runs);
    box.classList.toggle("short", first.runs && leftS < 10 && first.length_s > 10);
    const shownS = calm.matches ? Math.ceil(leftS) : leftS;
    const share = first.length_s ? Math.min(100, (100 * shownS) / first.length_s) : 0;
    byId("clock-arc").setAttribute("stroke-dasharray", `${share.toFixed(2)} 100`);
    if (second) write(byId("other"), `${say(`clock.${second.kind}`)} ${clockTime(this.leftS(second))}`);
  }
}
