// The page: puts each board it hears of on the screen.

import { drawBallots, drawList } from "./ballots.js";
import { BigClock } from "./clock.js";
import { byId, make, rebuild, show, write } from "./dom.js";
import { accuses, asks, drawFairPlay, needs } from "./fairplay.js";
import { Link } from "./link.js";
import { drawSeats, gestureWord } from "./seats.js";
import { fetchEndWords, say } from "./words.js";

const STALE_S = 6; // two beats missed

const clock = new BigClock();

function namesOf(board) {
  return Object.fromEntries((board?.seats ?? []).map((seat) => [seat.seat, seat.name]));
}

function called(seat, names) {
  return names[seat] ? `${seat} · ${names[seat]}` : say("seat", { seat });
}

function drawHead(board) {
  const game = board?.game;
  const phase = game?.phase ?? "waiting";
  document.body.dataset.phase = phase;
  document.body.classList.toggle("paused", Boolean(game?.paused));
  write(byId("table-name"), board ? say("table", { table: board.table }) : "");
  const round = board?.readiness;
  const word = round ? say(`readiness.${round.stage}`) : say(`phase.${phase}`);
  write(byId("phase"), game?.paused ? `${word} · ${say("paused")}` : word);
  write(byId("when"), game?.day > 0 && !game.winner ? say("day", { day: game.day }) : "");
  const notice = board?.notice ?? "";
  write(byId("notice"), notice && say(`notice.${notice}`));
  show(byId("notice"), Boolean(notice));
}

// At night the page is a still: the same for everybody, whatever happens.
function drawNight(game) {
  const night = game?.phase === "night";
  show(byId("still"), night);
  show(byId("live"), !night);
  if (!night) return;
  const word = game.night > 0 ? say("night", { night: game.night }) : say("night.0");
  write(byId("still-word"), word);
  write(byId("phase"), word);
  write(byId("when"), "");
}

function drawMiddle(board, names) {
  const game = board?.game;
  const speaker = game?.shout || game?.floor || game?.called || game?.motion?.seat || 0;
  let who = speaker ? called(speaker, names) : "";
  if (game?.phase === "lift") who = game.candidates.join(" + ");
  if (game?.winner) who = say(`winner.${game.winner}`);
  write(byId("who"), who);
  let line = "";
  if (game?.winner) line = say("points.about");
  else if (board?.readiness) {
    const { stage, missing } = board.readiness;
    const done = missing.filter((buttons) => !buttons.length).length;
    if (stage === "check") line = say("readiness.done", { done });
  } else if (game?.phase === "seating") {
    line = say("ready", { ready: game.seats.filter((seat) => seat.ready).length });
  } else if (game?.phase === "speech" && game.nominees.length) line = say("list", { seats: game.nominees.join(" · ") });
  if (game?.accusation) line = accuses(game.accusation);
  if (game?.motion) line = `${asks(game.motion)}: ${needs(game.motion)}`;
  write(byId("line"), line);
}

function drawSigns(board) {
  const signs = (board?.seats ?? []).filter((seat) => seat.gesture);
  show(byId("signs-panel"), signs.length > 0);
  rebuild(byId("signs"), signs, () =>
    signs.map(({ seat, gesture, number, meaning }) =>
      make("li", "", say("sign", { seat, gesture: gestureWord(gesture, number, meaning) })),
    ),
  );
}

function drawFacts(game) {
  const facts = [];
  if (game && !game.winner) {
    if (game.shot) facts.push(say("shot.seat", { seat: game.shot }));
    else if (game.shot === 0) facts.push(say("shot.miss"));
    if (game.mistakes_left !== null) facts.push(say("mistakes", { mistakes: game.mistakes_left }));
  }
  show(byId("facts-panel"), facts.length > 0);
  rebuild(byId("facts"), facts, () => facts.map((fact) => make("li", "", fact)));
}

function drawProof(board) {
  for (const [line, place, value] of [
    ["commitment-line", "commitment", board?.commitment],
    ["seed-line", "seed", board?.seed],
  ]) {
    write(byId(place), value ?? "");
    show(byId(line), Boolean(value));
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
  drawHead(board);
  drawNight(board?.game);
  clock.set(board?.clocks ?? [], ageS + (performance.now() - cameMs) / 1000, Boolean(board?.game.paused));
  drawMiddle(board, names);
  drawSeats(board);
  drawSigns(board);
  drawFairPlay(board);
  drawList(board, names);
  drawFacts(board?.game);
  drawBallots(board, names);
  drawProof(board);
  show(byId("side"), Boolean(byId("side").querySelector(".panel:not([hidden])")));
}

drawSeats(null);
show(byId("side"), false);
const link = new Link(draw);

function drawNews() {
  const silentS = link.silentS();
  const stale = silentS > STALE_S;
  document.body.classList.toggle("stale", stale);
  const fresh = say(link.polling ? "news.poll" : "news.live");
  write(byId("news"), stale ? say("news.none", { seconds: Math.floor(silentS) }) : fresh);
}

drawNews();
setInterval(drawNews, 1000);
