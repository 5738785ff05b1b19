// The ten seats as a list under the thumb.

import { byId, make, rebuild } from "./dom.js";
import { foulsOf } from "./seats.js";
import { say } from "./words.js";

const SEATS = 10;
const VOTES = ["ballot", "counting", "lift", "motion"];

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

// Who has voted is known when the calls are over: before that the moment would tell for whom,
// and in a lift or a motion a vote is a yes.
export function countsVotes(view) {
  return view?.phase === "counting" && !view.motion && view.kind !== "lift";
}

// All that is known of a seat, by the part of the sheet that knows it.
export function seatOf(sheet, seat) {
  const game = sheet?.game;
  const own = game?.public.seats[seat - 1] ?? { living: true, fouls: 0 };
  const table = sheet?.seats.find((one) => one.seat === seat) ?? {};
  const ready = sheet?.readiness?.seats.find((one) => one.seat === seat);
  const view = game?.public;
  const accused = view?.motion?.seat ?? 0;
  return {
    ...own,
    ...table,
    seat,
    online: table.online ?? false,
    lacks: table.lacks ?? [],
    own: sheet?.kit ?? "",
    away_s: table.away_s > 0 ? table.away_s + (performance.now() - sheet.madeMs) / 1000 : 0,
    technical: game?.technical_fouls[seat - 1] ?? 0,
    ruled: game?.rulings.find((one) => one.seat === seat),
    votes: Boolean(view && VOTES.includes(view.phase) && own.living && seat !== accused),
    voted: Boolean(game?.voted.includes(seat)),
    counts: countsVotes(view),
    place: (view?.nominees ?? []).indexOf(seat) + 1,
    floor: view?.floor === seat,
    silent: view?.floor === seat && view.silent,
    shouts: view?.shout === seat,
    called: view?.called === seat || (view?.phase === "lift" && view.candidates.includes(seat)),
    leaving: Boolean(view?.leaving.includes(seat)),
    shows: Boolean(sheet?.identifying.includes(table.user)),
    check: ready && sheet.readiness.stage === "check" ? ready : null,
    seating: view?.phase === "seating" && (sheet.readiness?.stage ?? "ready") === "ready",
    over: Boolean(sheet?.over || !game),
  };
}

// [kind, word, icon]: what stands under the name, the pressing first.
export function marksOf(one) {
  const marks = [];
  const mark = (kind, word, shape = "") => marks.push([kind, word, shape]);
  if (one.kit) mark("bad", say("mark.kit", { kit: one.kit, own: one.own }));
  else if (!one.online) mark("offline", say("mark.offline"), "offline");
  const game = !one.over;
  if (game && !one.living) mark("out", one.cause ? say(`cause.${one.cause}`) : say("state.out"));
  if (one.away_s > 0) mark("bad", say("mark.away", { seconds: Math.floor(one.away_s) }), "away");
  if (one.shouts) mark("hot", say("tag.shouts"));
  if (one.silent) mark("floor", say("tag.silent"));
  else if (one.floor) mark("floor", say("tag.speaks"));
  if (one.called) mark("called", say("tag.called"));
  if (one.votes && one.counts && one.voted) mark("good", say("mark.voted"), "done");
  else if (one.votes && one.counts) mark("waits", say("mark.waits"), "waits");
  if (game && one.living && one.place) mark("listed", say("tag.nominee", { place: one.place }));
  if (game && one.leaving) mark("out", say("tag.leaving"));
  if (game && one.silenced) mark("mute", say("tag.silenced"));
  if (one.ruled) {
    const what = one.ruled.sanction ? say(`sanction.${one.ruled.sanction}`) : say("cause.withdrawn");
    mark("bad", say("mark.ruled", { what }));
  }
  if (game && one.technical) mark("bad", say("mark.technical", { count: one.technical }));
  if (one.check) marks.push(...buttonsOf(one.check));
  else if (one.seating && one.ready) mark("good", say("tag.ready"), "done");
  else if (one.seating) mark("waits", say("missing.vote"), "waits");
  if (one.shows) mark("called", say("mark.identify"));
  if (one.camera === "off") mark("out", say("mark.camera_off"));
  return marks;
}

function buttonsOf(check) {
  const marks = [];
  for (const button of ["vote", "shout"]) {
    if (check[button] === "missing") marks.push(["waits", say(`missing.${button}`), "waits"]);
    if (check[button] === "stuck") marks.push(["bad", say(`mark.stuck_${button}`), ""]);
  }
  return marks.length ? marks : [["good", say("mark.pressed"), "done"]];
}

export function tagsOf(marks, element) {
  return marks.map(([kind, word, shape]) => {
    const tag = make(element, `tag ${kind}`);
    if (shape) tag.append(icon(shape));
    tag.append(make("span", "", word));
    return tag;
  });
}

function build(one, marks) {
  const number = make("span", "no");
  number.append(make("span", "unseen", `${say("seat", { seat: "" }).trim()} `), String(one.seat));
  const middle = make("span", "seat-middle");
  middle.append(make("span", "name", one.name || say("empty")));
  const tags = make("span", "tags");
  // A screen reader reads a button as one line: commas keep its parts apart.
  for (const tag of tagsOf(marks, "span")) tags.append(make("span", "unseen", ", "), tag);
  if (marks.length) middle.append(tags);
  const parts = [number, " ", middle];
  if (!one.over) parts.push(make("span", "unseen", ", "), foulsOf(one.fouls));
  return parts;
}

export function drawSeats(sheet, onTap) {
  const list = byId("seats");
  while (list.children.length < SEATS) {
    const seat = list.children.length + 1;
    const button = make("button", "seat");
    button.type = "button";
    button.id = `seat-${seat}`;
    button.setAttribute("aria-haspopup", "dialog");
    button.addEventListener("click", () => onTap(seat));
    const line = make("li");
    line.append(button);
    list.append(line);
  }
  for (let seat = 1; seat <= SEATS; seat += 1) {
    const one = seatOf(sheet, seat);
    const marks = marksOf(one);
    const button = byId(`seat-${seat}`);
    rebuild(button, [one.name, one.fouls, one.over, marks], () => build(one, marks));
    button.classList.toggle("gone", !one.over && !one.living);
    button.classList.toggle("lost", !one.online);
    button.classList.toggle("floor", one.floor);
    button.classList.toggle("shouts", one.shouts);
    button.classList.toggle("called", one.called);
    button.classList.toggle("nobody", !one.name);
  }
}
