// The lamp, by the same patterns as the real one: shares of light and seconds.

const still = matchMedia("(prefers-reduced-motion: reduce)");

// The eye takes a tenth of an LED's power for a third of its light.
const seen = (light) => Math.sqrt(light);

export class Bulb {
  constructor(node, patterns) {
    this.node = node;
    this.patterns = patterns;
    this.lamp = "off";
    still.addEventListener("change", () => this.draw());
  }

  show(lamp) {
    if (lamp === this.lamp) return; // a pattern that runs goes on
    this.lamp = lamp;
    this.draw();
  }

  draw() {
    this.blinking?.cancel();
    const steps = this.patterns[this.lamp];
    const whole = steps.reduce((sum, [, seconds]) => sum + seconds, 0);
    // Without motion it is lit as at its brightest; the words beside it tell the rest.
    this.node.style.opacity = Math.max(...steps.map(([light]) => seen(light)));
    if (still.matches || whole === 0) return;
    const frames = [];
    let passed = 0;
    for (const [light, seconds] of steps) {
      frames.push({ opacity: seen(light), offset: passed / whole, easing: "steps(1, end)" });
      passed += seconds;
    }
    frames.push({ opacity: seen(steps[0][0]), offset: 1 });
    this.blinking = this.node.animate(frames, { duration: whole * 1000, iterations: Infinity });
  }
}
