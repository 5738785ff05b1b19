// Fair play: what a seat says of another, what is voted on, and what was decided by whom.

import { byId, make, rebuild, show } from "./dom.js";
import { say } from "./words.js";

const offenceOf = ({ offence }) => (offence ? say(`offence.${offence}`) : "");

// How many votes a motion needs; its count is told when it is closed.
export function needs({ sanction, voters, needed }) {
  if (sanction === "opponent_victory") return say("fair.needed", { needed, voters });
  const half = needed === Math.floor(voters / 2) + 1;
  return say(half ? "fair.half" : "fair.needed", { needed, voters });
}

export function accuses(accusation) {
  return say("fair.accuses", { ...accusation, offence: offenceOf(accusation) });
}

export const asks = ({ sanction, seat }) => say(`fair.for.${sanction}`, { seat });

function whoOf(decision) {
  if (decision.by !== "room") return say(`fair.by.${decision.by}`);
  const votes = { yes: decision.yes.length, voters: decision.voters, needed: decision.needed };
  return say(decision.passed ? "fair.carried" : "fair.lost", votes);
}

function entry(kind, head, ...lines) {
  const box = make("article", `case ${kind}`);
  box.append(make("h3", "", head));
  box.append(make("p", "", lines.filter(Boolean).join(" · ")));
  return box;
}

function openOf({ accusation, motion, grounds }) {
  const open = [];
  if (accusation) open.push(entry("accusation", accuses(accusation), say("fair.confirm")));
  if (motion) open.push(entry("motion", asks(motion), offenceOf(motion), needs(motion)));
  const waits = grounds.map((each) => {
    const source = say(`source.${each.source}`, { by: each.by, second: each.confirmed_by });
    return entry("grounds", say("fair.next", { what: asks(each) }), offenceOf(each), source);
  });
  return [...open, ...waits];
}

function decided(decision) {
  const line = make("li", decision.passed ? "decision" : "decision lost");
  const what = decision.day ? `${say("day", { day: decision.day })}: ${asks(decision)}` : asks(decision);
  const why = [offenceOf(decision), whoOf(decision)].filter(Boolean).join(" · ");
  line.append(make("strong", "", what), make("span", "why", why));
  return line;
}

export function drawFairPlay(board) {
  const { accusation, motion, grounds, decisions } = board?.game ?? { grounds: [], decisions: [] };
  show(byId("fair-panel"), Boolean(accusation || motion || grounds.length));
  rebuild(byId("fair"), [accusation, motion, grounds], () => (board ? openOf(board.game) : []));
  show(byId("decided-panel"), decisions.length > 0);
  rebuild(byId("decided"), decisions, () => [...decisions].reverse().map(decided));
}
