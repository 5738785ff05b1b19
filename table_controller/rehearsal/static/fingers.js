// What presses the buttons of this page: pointers on them, and keys.

const PRESS_KEYS = ["Space", "Enter", "NumpadEnter"]; // on a button that has the focus

export class Fingers {
  // *buttons* are elements with an id and a data-key, a KeyboardEvent.code.
  constructor(buttons, onChange) {
    this.down = new Map(); // finger -> id of its button
    this.onChange = onChange;
    for (const button of buttons) this.listen(button);
    const keys = Object.fromEntries(buttons.map((button) => [button.dataset.key, button.id]));
    addEventListener("keydown", (event) => this.keyDown(event, keys));
    addEventListener("keyup", (event) => this.release(event.code));
    // Who looks away lets go: else a button could stay down unseen.
    addEventListener("blur", () => this.releaseAll());
    addEventListener("pagehide", () => this.releaseAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.releaseAll());
  }

  holds(id) {
    return [...this.down.values()].includes(id);
  }

  listen(button) {
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.press(event.pointerId, button.id);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => this.release(event.pointerId));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  keyDown(event, keys) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = PRESS_KEYS.includes(event.code) && event.target.dataset?.key;
    const id = focused ? event.target.id : keys[event.code];
    if (!id) return;
    event.preventDefault(); // no click, no scrolling
    if (!event.repeat) this.press(event.code, id);
  }

  press(finger, id) {
    if (this.down.has(finger)) return;
    this.down.set(finger, id);
    this.onChange();
  }

  release(finger) {
    if (this.down.delete(finger)) this.onChange();
  }

  releaseAll() {
    if (!this.down.size) return;
    this.down.clear();
    this.onChange();
  }
}
