// The ten seats in words: beside their discs on a wide screen, a list on a phone.

import { listOf } from "./ballots.js";
import { byId, make, rebuild } from "./dom.js";
import { points, say } from "./words.js";

const SEATS = 10;
const LONG = 11; // letters of a name that take two lines
const CROWD = 3; // tags, and a name's second line, that fit beside a disc at full size

// The hand and what it means at this table.
function gestureWord({ gesture, number, meaning }) {
  const hand = gesture === "number" ? say("gesture.number", { number }) : say(`gesture.${gesture}`);
  return meaning ? `${hand} (${meaning})` : hand;
}

// What one seat shows, from the game's seat and the table's seat.
function cardOf(seat, board) {
  const game = board?.game;
  const own = game?.seats.find((one) => one.seat === seat) ?? { living: true, fouls: 0, crowns: [] };
  const table = board?.seats.find((one) => one.seat === seat);
  const missing = board?.readiness?.missing[seat - 1];
  const place = listOf(game)[0].indexOf(seat) + 1;
  const foes = ["mafia", "don"].includes(own.role);
  return {
    seat,
    ...own,
    name: table?.name ?? "",
    nobody: !table?.name,
    gone: !own.living,
    offline: Boolean(table) && !table.online,
    gesture: own.living ? (table?.gesture ?? "") : "",
    number: table?.number ?? 0,
    meaning: table?.meaning ?? "",
    missing: missing ?? [],
    readying: missing ? !missing.length : game?.phase === "seating" && own.ready && !board.readiness,
    floor: game?.floor === seat,
    silent: game?.floor === seat && game.silent,
    shouts: game?.shout === seat,
    place,
    listed: place > 0 && own.living,
    called: game?.called === seat || (game?.phase === "lift" && game.candidates.includes(seat)),
    accused: game?.accusation?.seat === seat || game?.motion?.seat === seat,
    over: game?.phase === "over",
    foes,
    town: Boolean(own.role) && !foes,
  };
}

export const cardsOf = (board) => Array.from({ length: SEATS }, (_, at) => cardOf(at + 1, board));

function tagsOf(card) {
  const tags = [];
  const tag = (kind, text) => tags.push([kind, text]);
  if (card.shouts) tag("hot", say("tag.shouts"));
  if (card.silent) tag("floor", say("tag.silent"));
  else if (card.floor) tag("floor", say("tag.speaks"));
  if (card.called) tag("called", say("tag.called"));
  else if (card.listed) tag("listed", say("tag.nominee", { place: card.place }));
  if (card.accused) tag("hot", say("tag.accused"));
  if (card.gesture) tag("sign", gestureWord(card));
  if (card.silenced && !card.over) tag("mute", say("tag.silenced"));
  if (card.offline) tag("offline", say("tag.offline"));
  for (const button of card.missing) tag("listed", say(`missing.${button}`));
  if (card.readying) tag("good", say("tag.ready"));
  if (card.cause) tag("out", say(`cause.${card.cause}`));
  if (card.disqualified && card.cause !== "disqualified") tag("out", say("cause.disqualified"));
  if (card.technical_fouls) tag("mute", say("tag.technical", { count: card.technical_fouls }));
  for (const from of card.crowns) tag("crown", say("tag.crown", { seat: from }));
  if (card.best_move?.length) tag("plain", say("tag.suspects", { seats: card.best_move.join(" ") }));
  else if (card.best_move) tag("plain", say("tag.no_suspects"));
  return tags;
}

export function foulsOf(fouls) {
  const box = make("span", "fouls");
  box.append(make("span", "unseen", say("fouls", { fouls })));
  const filled = fouls ? ((fouls - 1) % 3) + 1 : 0;
  for (let at = 1; at <= 3; at += 1) {
    const pip = make("span", at <= filled ? "pip full" : "pip");
    pip.setAttribute("aria-hidden", "true");
    box.append(pip);
  }
  if (fouls > 3) {
    const count = make("span", "foul-count", String(fouls));
    count.setAttribute("aria-hidden", "true");
    box.append(count);
  }
  return box;
}

function build(card) {
  const number = make("span", "no");
  number.append(make("span", "unseen", `${say("seat", { seat: "" }).trim()} `), String(card.seat));
  const head = make("div", "head");
  head.append(number, make("span", card.name.length > LONG ? "name long" : "name", card.name || say("empty")));
  const tags = make("ul", "tags");
  if (card.fouls && !card.over) {
    const line = make("li", "");
    line.append(foulsOf(card.fouls));
    tags.append(line);
  }
  tags.append(...tagsOf(card).map(([kind, text]) => make("li", `tag ${kind}`, text)));
  const lines = tags.children.length + (card.name.length > LONG ? 1 : 0);
  tags.classList.toggle("crowd", lines > CROWD);
  if (!card.role) return [head, tags];
  tags.classList.add("ended");
  const result = make("p", "result");
  result.append(
    make("span", "max", points(card.max ?? 0)),
    make("span", "classic", say("points.classic", { points: points(card.classic ?? 0) })),
  );
  tags.prepend(make("li", "role", say(`role.${card.role}`)));
  return [head, tags, result];
}

export function drawSeats(cards) {
  const list = byId("seats");
  while (list.children.length < SEATS) list.append(make("li", "seat"));
  for (const card of cards) {
    const node = list.children[card.seat - 1];
    rebuild(node, card, () => build(card));
    for (const state of ["gone", "nobody", "floor", "shouts", "called", "listed", "foes", "over"]) {
      node.classList.toggle(state, Boolean(card[state]));
    }
  }
}
