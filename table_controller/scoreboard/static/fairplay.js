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
  const box = make("article", `ballot ${kind}`);
  box.append(make("h3", "", head));
  box.append(...lines.filter(Boolean).map((line) => make("p", "needed", line)));
  return box;
}

function entriesOf(game) {
  const open = [];
  const { accusation, motion } = game;
  if (accusation) open.push(entry("accusation", accuses(accusation), say("fair.confirm")));
  if (motion) open.push(entry("motion", asks(motion), offenceOf(motion), needs(motion)));
  const waits = game.grounds.map((each) => {
    const source = say(`source.${each.source}`, { by: each.by, second: each.confirmed_by });
    return entry("grounds", say("fair.next", { what: asks(each) }), offenceOf(each), source);
  });
  const done = game.decisions.map((each) => {
    const head = each.day ? `${say("day", { day: each.day })}: ${asks(each)}` : asks(each);
    return entry(each.passed ? "decision" : "decision lost", head, offenceOf(each), whoOf(each));
  });
  return [...open, ...waits, ...done.reverse()];
}

export function drawFairPlay(board) {
  const { accusation, motion, grounds, decisions } = board?.game ?? { grounds: [], decisions: [] };
  show(byId("fair-panel"), Boolean(accusation || motion || grounds.length || decisions.length));
  rebuild(byId("fair"), [accusation, motion, grounds, decisions], () => (board ? entriesOf(board.game) : []));
}
