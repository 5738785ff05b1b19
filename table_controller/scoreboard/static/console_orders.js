// Orders: sent once, answered once, and what became of them.

import { byId, make, show, write } from "./dom.js";
import { say } from "./words.js";

const TRIES = 4;
const AGAIN_MS = 1000;
const ANSWER_MS = 8000; // the table is given 5 s by the server

// What undo does not reach is asked about, and nothing else.
const BY_NIGHT = { withdraw: "sure.withdraw", disqualification: "sure.rule" };

let sheet = null;
let asked = ""; // the order that has no answer yet, as JSON
let answered = Promise.resolve();
let focusAfter = null;

export function seen(latest) {
  sheet = latest;
}

export const takes = (name) => Boolean(sheet?.orders.includes(name));

// What the order is called, in the reader's words.
export function named(order) {
  const values = { ...order, clock: "" };
  if (order.do === "end_countdown") {
    const kind = sheet?.game?.countdowns.find((each) => each.id === order.countdown)?.kind;
    const own = `do.end.${kind}`;
    const word = say(own);
    return word === own.slice(own.indexOf(".") + 1) ? say("do.end_countdown") : word;
  }
  if (order.do === "extend_countdown" || order.do === "shorten_countdown") {
    const kind = sheet?.game?.countdowns.find((each) => each.id === order.countdown)?.kind;
    values.clock = say(`clock.${kind}`);
    values.by = `${order.do === "extend_countdown" ? "+" : "−"}${order.by_s}`;
    return say("do.change_countdown", values);
  }
  if (order.do === "correct_nomination") values.nominee = order.nominee ?? say("seat.nobody");
  if (order.do === "rule") return say(`do.rule.${order.sanction}`, values);
  return say(`do.${order.do}`, values);
}

// Let the table do it; ask first where it could not be undone.
export async function give(order, sure = "") {
  const night = sheet?.phase === "night";
  const question = sure || (night ? BY_NIGHT[order.sanction ?? order.do] : "");
  if (question && !(await agreed(order, question))) return false;
  return send({ id: crypto.randomUUID(), step: sheet?.step ?? 0, order }, named(order));
}

function agreed(order, question) {
  const dialog = byId("sure-sheet");
  write(byId("sure-head"), named(order));
  write(byId("sure-text"), say(question, order));
  write(byId("sure-yes"), named(order));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((settle) => {
    byId("sure-yes").onclick = () => dialog.close("yes");
    dialog.addEventListener("close", () => settle(dialog.returnValue === "yes"), { once: true });
  });
}

// One after the other; what is pressed twice before its answer is one order.
function send(body, name) {
  const same = JSON.stringify(body.order);
  if (asked === same) return answered;
  asked = same;
  document.body.classList.add("asks");
  answered = answered.then(async () => {
    try {
      return await tell(await ask(JSON.stringify(body)), body, name);
    } finally {
      if (asked === same) asked = "";
      document.body.classList.toggle("asks", asked !== "");
    }
  });
  return answered;
}

// Asked again with the same id, an order is done once.
async function ask(body) {
  for (let turn = 0; turn < TRIES; turn += 1) {
    if (turn) {
      write(byId("said"), say("asking.again"));
      await new Promise((after) => setTimeout(after, AGAIN_MS));
    }
    try {
      const answer = await fetch(document.body.dataset.order, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": document.body.dataset.csrf },
        body,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (answer.status < 500) return answer;
    } catch {
      // Not reachable at the moment: ask again.
    }
  }
  return null;
}

async function tell(answer, body, name) {
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  if (answer?.status === 403) {
    shut();
    return false;
  }
  if (!answer) {
    refuse(say("asking.unknown", { order: name }), [], () => send(body, name));
    return false;
  }
  const said = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : {};
  if (answer.ok && said.done) {
    clear();
    write(byId("said"), say("done", { order: name }));
    return true;
  }
  const why = [said.why ?? `${answer.status}`, said.changed ?? []];
  refuse(say("refused.head", { order: name }), why, null);
  return false;
}

export function shut() {
  show(byId("shut"), true);
}

export function clear() {
  const held = byId("refusal").contains(document.activeElement);
  byId("refusal").replaceChildren();
  if (held) (focusAfter?.isConnected ? focusAfter : byId("next")).focus();
}

// Say why, what has changed meanwhile, and let it be put away.
function refuse(head, [why = "", changed = []], again) {
  const box = make("div", "refused");
  box.append(make("p", "refused-head", head));
  if (why) box.append(make("p", "", why));
  if (changed.length) {
    const list = make("ul", "changed");
    list.append(...changed.map((each) => make("li", "", each)));
    box.append(make("p", "soft", say("refused.changed")), list);
  }
  const keys = make("p", "buttons");
  const button = (word, pressed) => {
    const key = make("button", "", word);
    key.type = "button";
    key.addEventListener("click", pressed);
    keys.append(key);
    return key;
  };
  if (again) button(say("asking.once_more"), () => (clear(), again()));
  button(say("ok"), clear);
  box.append(keys);
  focusAfter = document.activeElement;
  byId("refusal").replaceChildren(box);
}

// Buttons of the page that need nothing but themselves: data-order, as JSON.
export function listen() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-order]");
    if (!button || button === document.body || button.getAttribute("aria-disabled") === "true") return;
    give(JSON.parse(button.dataset.order), button.dataset.sure);
  });
}

// Show of these buttons those that the table takes now.
export function drawButtons() {
  for (const button of document.querySelectorAll("button[data-order]")) {
    show(button, takes(JSON.parse(button.dataset.order).do));
  }
}
