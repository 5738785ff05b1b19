// The panel of one seat: fingers go up, the seat's own screen comes down.

import { Fingers } from "./fingers.js";
import { Bulb } from "./bulb.js";

const SILENT_MS = 4000; // three beats missed
const OVER_MS = 8000; // a demo that is quiet for so long has ended
const AGAIN_MS = 1000;
const WIDTH = 128;

const byId = (id) => document.getElementById(id);
const words = JSON.parse(byId("words").textContent);
const page = crypto.randomUUID();
const buttons = ["vote", "shout"];
const bulb = new Bulb(byId("light"), JSON.parse(byId("patterns").textContent));

// ---- shown ----

// Write only what differs: a live region speaks at every write.
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function list(node, lines) {
  const key = JSON.stringify(lines);
  if (node.dataset.lines === key) return;
  node.dataset.lines = key;
  node.replaceChildren(
    ...lines.map(([how, what]) => {
      const item = document.createElement("li");
      if (how) {
        const label = document.createElement("b");
        label.textContent = how;
        item.append(label, " ");
      }
      item.append(what);
      return item;
    }),
  );
}

function drawSeat(view) {
  const screen = byId("screen");
  const source = view.screen && `data:image/png;base64,${view.screen}`;
  if (source && screen.src !== source) screen.src = source;
  screen.hidden = !source;
  bulb.show(view.lamp);
  write(byId("lamp"), words[`lamp.${view.lamp}`]);
  write(byId("spoken"), view.spoken);
  write(byId("name"), view.name);
}

function drawLegend({ legend }) {
  write(byId("hint"), legend?.hint ?? "");
  document.body.classList.toggle("waits", Boolean(legend?.waits));
  for (const button of buttons) {
    const uses = legend?.[button] ?? {};
    const lines = ["tap", "hold"].filter((how) => uses[how]).map((how) => [words[how], uses[how]]);
    list(byId(`${button}-uses`), lines);
    byId(button).classList.toggle("idle", lines.length === 0);
    byId(button).classList.toggle("holds", Boolean(uses.hold));
  }
}

let elsewhere = []; // what any page of this seat holds

function drawButtons() {
  for (const button of buttons) {
    const down = fingers.holds(button) || elsewhere.includes(button);
    byId(button).classList.toggle("down", down);
    byId(button).setAttribute("aria-pressed", String(down));
  }
}

function drawLink(word) {
  document.body.classList.toggle("away", Boolean(word));
  write(byId("link"), word ? words[`link.${word}`] : "");
}

function draw(view) {
  drawSeat(view);
  drawLegend(view);
  list(byId("heard"), view.heard.map((text) => ["", text]));
  elsewhere = view.down;
  drawButtons();
  if (!view.screen) drawLink("away");
  else drawLink(view.linked ? "" : "lost");
}

// The screen's pixels are whole pixels of this display, as large as fit.
function fit() {
  const ratio = window.devicePixelRatio || 1;
  const room = byId("glass").clientWidth * ratio;
  const scale = Math.max(1, Math.floor(room / WIDTH));
  byId("screen").style.width = `${(scale * WIDTH) / ratio}px`;
}

new ResizeObserver(fit).observe(byId("glass"));

// ---- fingers ----

let number = 0;
let sent = Promise.resolve();

// One order after the other, each with all that is held: none overtakes.
function tell() {
  number += 1;
  const body = JSON.stringify({ page, number, holds: buttons.filter((each) => fingers.holds(each)) });
  sent = sent
    .then(() =>
      fetch("holds", { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }),
    )
    .catch(() => {}); // the stream tells that nobody answers, and what is held is told again
}

const fingers = new Fingers(buttons.map(byId), () => {
  drawButtons();
  tell();
});

// ---- the stream ----

let source;
let openedMs;
let heardMs = performance.now();

function lost(word) {
  elsewhere = [];
  drawButtons();
  drawLink(performance.now() - heardMs > OVER_MS ? "over" : word);
}

function open() {
  source?.close();
  openedMs = performance.now();
  source = new EventSource(`events?page=${page}`);
  source.onopen = tell;
  source.onmessage = (event) => {
    heardMs = performance.now();
    draw(JSON.parse(event.data));
  };
  source.addEventListener("beat", () => {
    heardMs = performance.now();
  });
  source.onerror = () => lost("page");
}

// A stream that was refused is closed for good: find out why, and ask again.
async function watch() {
  const now = performance.now();
  if (source.readyState === EventSource.CLOSED) {
    try {
      const answer = await fetch("", { cache: "no-store" });
      lost(answer.ok ? "full" : "over");
      if (answer.ok) open();
    } catch {
      lost("page");
    }
  } else if (now - Math.max(heardMs, openedMs) > SILENT_MS) {
    lost("page");
    open();
  }
}

for (const button of buttons) {
  byId(button).style.setProperty("--time", `${document.body.dataset[`${button}S`]}s`);
}
open();
setInterval(watch, AGAIN_MS);
