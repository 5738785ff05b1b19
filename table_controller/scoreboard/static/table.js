// The page: puts each board it hears of on the screen.

import { drawBallots, drawList } from "./ballots.js";
import { BigClock } from "./clock.js";
import { byId, make, rebuild, show, write } from "./dom.js";
import { accuses, asks, drawFairPlay, needs } from "./fairplay.js";
import { Link } from "./link.js";
import { drawRing } from "./ring.js";
import { cardsOf, drawSeats } from "./seats.js";
import { fetchEndWords, say } from "./words.js";

const STALE_S = 6; // two beats missed
const SHORT = 8; // letters at either end of a long number

const clock = new BigClock(byId("ring"));

function namesOf(board) {
  return Object.fromEntries((board?.seats ?? []).map((seat) => [seat.seat, seat.name]));
}

function called(seat, names) {
  return names[seat] ? `${seat} · ${names[seat]}` : say("seat", { seat });
}

function whenOf(game) {
  return game?.day > 0 && !game.winner && game.phase !== "night" ? say("day", { day: game.day }) : "";
}

function phaseOf(board) {
  const game = board?.game;
  if (game?.phase === "night") return game.night > 0 ? say("night", { night: game.night }) : say("night.0");
  return board?.readiness ? say(`readiness.${board.readiness.stage}`) : say(`phase.${game?.phase ?? "waiting"}`);
}

function drawHead(board) {
  const game = board?.game;
  document.body.dataset.phase = game?.phase ?? "waiting";
  document.body.classList.toggle("paused", Boolean(game?.paused));
  write(byId("table-name"), board ? say("table", { table: board.table }) : "");
  const word = phaseOf(board);
  write(byId("phase"), game?.paused ? `${word} · ${say("paused")}` : word);
  write(byId("when"), whenOf(game));
  const notice = board?.notice ?? "";
  write(byId("notice"), notice && say(`notice.${notice}`));
  show(byId("notice"), Boolean(notice));
}

// One sentence at each change of phase, for those who listen to the page.
function announce(game) {
  if (!game) return;
  const parts = [byId("when"), byId("phase")].map((node) => node.textContent);
  if (game.winner) parts.push(say(`winner.${game.winner}`));
  write(byId("said"), parts.filter(Boolean).join(". "));
}

// At night the page is a still: the same for everybody, whatever happens.
function drawNight(board) {
  const game = board?.game;
  const night = game?.phase === "night";
  show(byId("still"), night);
  show(byId("live"), !night);
  if (!night) return;
  write(byId("still-word"), phaseOf(board));
  write(byId("still-line"), game.paused ? say("paused") : say("night.still"));
}

function whoOf(game, names) {
  if (game?.winner) return say(`winner.${game.winner}`);
  if (game?.voided) return say("voided");
  if (game?.phase === "lift") return game.candidates.join(" + ");
  const seat = game?.shout || game?.floor || game?.called || game?.motion?.seat || 0;
  return seat ? called(seat, names) : "";
}

function lineOf(board) {
  const game = board?.game;
  if (!game) return "";
  if (game.motion) return `${asks(game.motion)}: ${needs(game.motion)}`;
  if (game.accusation) return accuses(game.accusation);
  if (game.winner) return say("points.about");
  if (board.readiness) {
    const done = board.readiness.missing.filter((buttons) => !buttons.length).length;
    return board.readiness.stage === "check" ? say("readiness.done", { done }) : "";
  }
  if (game.phase === "seating") return say("ready", { ready: game.seats.filter((seat) => seat.ready).length });
  if (game.phase === "morning" && game.shot !== null) return shotOf(game);
  return game.phase === "speech" && game.nominees.length ? say("list", { seats: game.nominees.join(" · ") }) : "";
}

function drawMiddle(board, names) {
  write(byId("who"), whoOf(board?.game, names));
  write(byId("line"), lineOf(board));
  // Before the game the table's middle is free: the way to this page is big.
  const free = !board || (board.game.phase === "seating" && !board.clocks.length);
  document.body.classList.toggle("inviting", free);
  if (byId("invite")) show(byId("invite"), free);
}

const shotOf = (game) => (game.shot ? say("shot.seat", { seat: game.shot }) : say("shot.miss"));

function drawFacts(game) {
  const facts = [];
  if (game && !game.winner) {
    if (game.shot !== null) facts.push(shotOf(game));
    if (game.mistakes_left !== null) facts.push(say("mistakes", { mistakes: game.mistakes_left }));
  }
  show(byId("facts-panel"), facts.length > 0);
  rebuild(byId("facts"), facts, () => facts.map((fact) => make("li", "", fact)));
}

function drawProof(board) {
  for (const [place, value] of Object.entries({ commitment: board?.commitment ?? "", seed: board?.seed ?? "" })) {
    write(byId(place), value);
    write(byId(`${place}-short`), value && `${value.slice(0, SHORT)}…${value.slice(-SHORT)}`);
    show(byId(`${place}-line`), Boolean(value));
  }
  show(byId("proof"), Boolean(board?.commitment || board?.seed));
}

let latest = 0;

async function draw({ board, age_s: ageS }) {
  latest += 1;
  const turn = latest;
  const cameMs = performance.now();
  if (board?.game.winner) {
    await fetchEndWords();
    if (turn !== latest) return;
  }
  const names = namesOf(board);
  const cards = cardsOf(board);
  drawHead(board);
  announce(board?.game);
  drawNight(board);
  clock.set(board?.clocks ?? [], ageS + (performance.now() - cameMs) / 1000, Boolean(board?.game.paused));
  drawMiddle(board, names);
  drawSeats(cards);
  drawRing(cards, board?.clocks ?? []);
  drawFacts(board?.game);
  drawFairPlay(board);
  drawList(board, names);
  drawBallots(board, names);
  drawProof(board);
  show(byId("side"), Boolean(byId("side").querySelector(".panel:not([hidden])")));
}

const link = new Link(draw);

function drawNews() {
  const silentS = link.silentS();
  const stale = silentS > STALE_S;
  document.body.classList.toggle("stale", stale);
  clock.silentS = stale ? Math.floor(silentS) : 0;
  const fresh = say(link.polling ? "news.poll" : "news.live");
  write(byId("news"), stale ? say("news.none", { seconds: Math.floor(silentS) }) : fresh);
  clock.draw();
}

clock.run();
drawSeats(cardsOf(null));
drawRing(cardsOf(null), []);
drawMiddle(null, {});
drawNews();
setInterval(drawNews, 1000);
