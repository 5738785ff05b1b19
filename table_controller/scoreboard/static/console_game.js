// The game at a glance: phase, clock, the next step, undo, votes, grounds.

import { byId, make, rebuild, show, write } from "./dom.js";
import { give, named, takes } from "./console_orders.js";
import { countsVotes } from "./console_seats.js";
import { say } from "./words.js";

const SETTLES_MS = 600; // a button that has changed under the thumb is not pressed yet

const STEPS_S = [10, 30]; // more or less, at one tap

// Whose clocks can be made shorter: in the other ones somebody may be about to press.
const FLOORS = ["speech", "silent", "pick", "tie_speech", "farewell", "farewell_picks", "shout"];

export const nameOf = (sheet, seat) => sheet?.seats.find((one) => one.seat === seat)?.name ?? "";

const called = (sheet, seat) => {
  const name = nameOf(sheet, seat);
  return name ? `${seat} · ${name}` : say("seat", { seat });
};

export function drawHead(sheet) {
  const view = sheet?.game?.public;
  const phase = sheet?.phase ?? "lobby";
  document.body.dataset.phase = phase;
  document.body.classList.toggle("paused", Boolean(sheet?.paused));
  let word = sheet?.readiness ? say(`readiness.${sheet.readiness.stage}`) : say(`phase.${phase}`);
  if (sheet?.readiness?.stage === "ready") word = say("phase.seating");
  if (phase === "night") word = view.night > 0 ? say("night", { night: view.night }) : say("night.0");
  if (view?.voided) word = say("console.void");
  if (view?.winner) word = say(`winner.${view.winner}`);
  write(byId("phase"), sheet?.paused ? `${say("paused")} · ${word}` : word);
  const day = view?.day > 0 && !sheet.over && phase !== "night";
  write(byId("when"), day ? say("day", { day: view.day }) : "");
  const speaker = view?.shout || view?.floor || view?.called || 0;
  let who = speaker ? called(sheet, speaker) : "";
  if (view?.phase === "lift") who = view.candidates.join(" + ");
  if (view?.phase === "motion" && view.motion) who = called(sheet, view.motion.seat);
  write(byId("who"), who);
  const notice = sheet?.board?.notice ?? "";
  const words = sheet?.halted ? say("console.halted") : notice && say(`notice.${notice}`);
  write(byId("notice"), words);
  show(byId("notice"), Boolean(words));
  show(byId("still"), phase === "night");
  show(byId("result"), Boolean(view?.winner));
  // Source: RULES 2.6. Who it is, the page behind the link reads from the game's journal.
  const offended =
    view?.seats.some((one) => one.disqualified) ||
    view?.decisions.some((one) => one.passed && one.offence === "forbidden_gesture");
  show(byId("barrable"), Boolean(view?.winner && offended));
}

// ---- the next step ----

let settles = 0;

export function drawNext(sheet, own) {
  const [first] = sheet?.next ?? [];
  const order = own ?? first;
  const button = byId("next");
  const key = order ? JSON.stringify(order) : "";
  show(button, Boolean(order));
  // While the table decides what comes next, the rest does not jump.
  show(byId("pause"), takes("pause") && order?.do !== "pause");
  if (button.dataset.key === key) return;
  button.dataset.key = key;
  write(button, order ? named(order) : "");
  button.setAttribute("aria-disabled", "true");
  clearTimeout(settles);
  settles = setTimeout(() => button.setAttribute("aria-disabled", String(!order)), SETTLES_MS);
}

export function listenNext(start) {
  byId("next").addEventListener("click", () => {
    const button = byId("next");
    if (button.getAttribute("aria-disabled") === "true") return;
    const order = JSON.parse(button.dataset.key);
    if (order.do === "new_game" && !order.players) start();
    else give(order);
  });
  byId("undo").addEventListener("click", () => byId("undo-sheet").showModal());
  byId("more").addEventListener("click", () => byId("more-sheet").showModal());
}

// ---- clocks ----

function clockRow(sheet, clock) {
  const row = make("div", "clock-row");
  const kind = say(`clock.${clock.kind}`);
  row.append(make("h3", "", clock.seat ? `${kind} · ${called(sheet, clock.seat)}` : kind));
  const keys = make("p", "pair");
  const key = (word, order) => {
    const button = make("button", order.by_s ? "tall" : "tall end", word);
    button.type = "button";
    if (order.by_s) button.setAttribute("aria-label", named(order));
    button.addEventListener("click", () => give(order));
    keys.append(button);
  };
  const countdown = clock.id;
  if (takes("extend_countdown")) {
    for (const by of STEPS_S) key(say("do.by", { by: `+${by}` }), { do: "extend_countdown", countdown, by_s: by });
  }
  if (takes("shorten_countdown") && FLOORS.includes(clock.kind)) {
    for (const by of STEPS_S) key(say("do.by", { by: `−${by}` }), { do: "shorten_countdown", countdown, by_s: by });
  }
  if (takes("end_countdown")) {
    const end = { do: "end_countdown", countdown };
    key(named(end), end);
  }
  row.append(keys);
  return row;
}

export function drawMore(sheet) {
  const clocks = takes("extend_countdown") || takes("end_countdown") ? (sheet?.game?.countdowns ?? []) : [];
  const shown = [clocks.map(({ id, kind, seat }) => [id, kind, seat]), sheet?.orders];
  rebuild(byId("clocks"), shown, () => clocks.map((clock) => clockRow(sheet, clock)));
  const any = byId("more-sheet").querySelector("button[data-order]:not([hidden])");
  show(byId("more-nothing"), !any && !clocks.length);
}

// ---- undo ----

export function drawUndo(sheet) {
  const steps = takes("undo") ? (sheet?.undo ?? []) : [];
  write(byId("undo-text"), steps.length ? say("undo.last", { text: steps[0].text }) : say("undo.none"));
  byId("undo").disabled = !steps.length;
  rebuild(byId("steps"), steps, () =>
    steps.map((step, at) => {
      const line = make("li", "step");
      const time = make("time", "soft", localTime(step.utc));
      time.dateTime = step.utc;
      const button = make("button", "", at ? say("undo.with") : say("undo.this"));
      button.type = "button";
      button.setAttribute("aria-label", `${button.textContent}: ${step.text}`);
      button.addEventListener("click", () => give({ do: "undo", keep: step.keep }));
      const text = make("p", "", step.text);
      line.append(time, text, button);
      return line;
    }),
  );
}

export const localTime = (utc) =>
  new Date(utc).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });

// ---- votes, list, grounds ----

export function drawVotes(sheet) {
  const view = sheet?.game?.public;
  const open = ["ballot", "counting", "lift", "motion"].includes(view?.phase);
  show(byId("ballot"), open);
  if (open) {
    const voters = view.seats.filter((one) => one.living && one.seat !== view.motion?.seat);
    const waits = voters.filter((one) => !sheet.game.voted.includes(one.seat)).map((one) => one.seat);
    write(byId("ballot-head"), say(`phase.${view.phase}`));
    const done = voters.length - waits.length;
    const counts = countsVotes(view);
    const missing = counts && waits.length;
    write(byId("ballot-count"), counts ? say("voted.count", { done, all: voters.length }) : "");
    write(byId("ballot-waits"), missing ? say("voted.waits", { seats: waits.join(", ") }) : "");
  }
  const listed = view?.candidates.length ? view.candidates : (view?.nominees ?? []);
  const shown = listed.length > 0 && !sheet.over && view.phase !== "night";
  show(byId("list-panel"), shown);
  write(byId("list-head"), say(view?.candidates.length ? "list.candidates" : "list.nominees"));
  rebuild(byId("nominees"), [shown, listed, view?.called], () =>
    listed.map((seat) => make("li", seat === view.called ? "now" : "", called(sheet, seat))),
  );
}

function groundsLines(sheet) {
  const { grounds, stop, public: view } = sheet.game;
  const lines = [];
  const accused = view.accusation;
  if (accused) {
    const values = { by: accused.by, seat: accused.seat, offence: say(`offence.${accused.offence}`) };
    lines.push([say("grounds.accused", values), say("grounds.second")]);
  }
  if (view.motion) {
    const sanction = say(`sanction.${view.motion.sanction}`);
    const { seat, needed, voters } = view.motion;
    lines.push([say("grounds.open", { sanction, seat }), say("grounds.needed", { needed, voters })]);
  }
  if (stop) lines.push([say("grounds.stop", { seat: stop }), ""]);
  for (const each of grounds) {
    const head = say("grounds.line", { seat: each.seat, offence: say(`offence.${each.offence}`) });
    const source = say(`source.${each.source}`, { by: each.by, second: each.confirmed_by });
    const sanction = say(`sanction.${each.sanction}`);
    lines.push([head, `${source}; ${each.put ? say("grounds.put") : say("grounds.waits", { sanction })}`]);
  }
  return lines;
}

export function drawGrounds(sheet) {
  const lines = sheet?.game && !sheet.over ? groundsLines(sheet) : [];
  show(byId("grounds-panel"), lines.length > 0);
  rebuild(byId("grounds"), lines, () =>
    lines.map(([head, more]) => {
      const line = make("li");
      line.append(make("p", "", head));
      if (more) line.append(make("p", "soft", more));
      return line;
    }),
  );
}
