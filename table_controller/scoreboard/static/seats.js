// The ten seats around the table.

import { byId, make, rebuild } from "./dom.js";
import { points, say } from "./words.js";

const SEATS = 10;

// The hand and what it means at this table.
export function gestureWord(gesture, number, meaning) {
  const hand = gesture === "number" ? say("gesture.number", { number }) : say(`gesture.${gesture}`);
  return meaning ? `${hand} (${meaning})` : hand;
}

// What one card shows, from the game's seat and the table's seat.
function model(seat, board) {
  const game = board?.game;
  const own = game?.seats.find((one) => one.seat === seat) ?? { living: true, fouls: 0, crowns: [] };
  const table = board?.seats.find((one) => one.seat === seat);
  const place = (game?.nominees ?? []).indexOf(seat) + 1;
  const votes = game?.candidates ?? [];
  return {
    seat,
    ...own,
    name: table?.name ?? "",
    offline: Boolean(table) && !table.online,
    gesture: own.living ? (table?.gesture ?? "") : "",
    number: table?.number ?? 0,
    meaning: table?.meaning ?? "",
    missing: board?.readiness?.missing[seat - 1] ?? [],
    readying: game?.phase === "seating" && own.ready,
    floor: game?.floor === seat,
    silent: game?.floor === seat && game.silent,
    shouts: game?.shout === seat,
    place,
    called: game?.called === seat || (game?.phase === "lift" && votes.includes(seat)),
    accused: game?.accusation?.seat === seat || game?.motion?.seat === seat,
    leaving: Boolean(game?.leaving.includes(seat)),
    over: Boolean(game?.winner),
  };
}

function tagsOf(card) {
  const tags = [];
  const tag = (kind, text) => tags.push([kind, text]);
  if (card.shouts) tag("hot", say("tag.shouts"));
  if (card.silent) tag("floor", say("tag.silent"));
  else if (card.floor) tag("floor", say("tag.speaks"));
  if (card.called) tag("called", say("tag.called"));
  if (card.place && card.living && !card.over) tag("listed", say("tag.nominee", { place: card.place }));
  if (card.silenced && !card.over) tag("mute", say("tag.silenced"));
  if (card.offline) tag("offline", say("tag.offline"));
  for (const button of card.missing) tag("listed", say(`missing.${button}`));
  if (card.readying) tag("good", say("tag.ready"));
  if (card.accused) tag("hot", say("tag.accused"));
  if (card.technical_fouls) tag("mute", say("tag.technical", { count: card.technical_fouls }));
  if (card.cause) tag("out", say(`cause.${card.cause}`));
  if (card.disqualified && card.cause !== "disqualified") tag("out", say("cause.disqualified"));
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
  const head = make("div", "head");
  const number = make("span", "no");
  number.append(make("span", "unseen", `${say("seat", { seat: "" }).trim()} `), String(card.seat));
  const long = card.name.length > 10 ? "name long" : "name";
  head.append(number, make("span", long, card.name || say("empty")));
  head.append(foulsOf(card.fouls));
  const tags = make("ul", "tags");
  tags.append(...tagsOf(card).map(([kind, text]) => make("li", `tag ${kind}`, text)));
  if (card.gesture) {
    tags.append(make("li", "tag sign", gestureWord(card.gesture, card.number, card.meaning)));
  }
  if (!card.role) return [head, tags];
  const result = make("div", "result");
  result.append(
    make("span", "role", say(`role.${card.role}`)),
    make("span", "max", points(card.max ?? 0)),
    tags,
    make("span", "classic", say("points.classic", { points: points(card.classic ?? 0) })),
  );
  return [head, result];
}

export function drawSeats(board) {
  const list = byId("seats");
  while (list.children.length < SEATS) list.append(make("li", "seat"));
  for (let seat = 1; seat <= SEATS; seat += 1) {
    const card = model(seat, board);
    const node = list.children[seat - 1];
    rebuild(node, card, () => build(card));
    node.classList.toggle("gone", !card.living);
    node.classList.toggle("nobody", !card.name);
    node.classList.toggle("floor", card.floor);
    node.classList.toggle("shouts", card.shouts);
    node.classList.toggle("called", card.called);
    node.classList.toggle("listed", card.place > 0);
    node.dataset.team = card.role ? (["mafia", "don"].includes(card.role) ? "b" : "a") : "";
  }
}
