// The host's console: puts each sheet it hears of on the page.

import { BigClock } from "./clock.js";
import {
  drawGrounds, drawHead, drawMore, drawNext, drawUndo, drawVotes, listenNext,
} from "./console_game.js";
import { drawLobby, listenLobby, newGame, start } from "./console_lobby.js";
import { drawButtons, listen, seen, shut, takes } from "./console_orders.js";
import { drawSeats } from "./console_seats.js";
import { drawSheet, listenSeat, openSeat } from "./console_seat.js";
import { drawDevices, drawNotices, drawPlacing, drawRound, drawVoice, listenTable } from "./console_table.js";
import { byId, show, write } from "./dom.js";
import { Link } from "./link.js";
import { fetchEndWords, say } from "./words.js";

const STALE_S = 6; // two beats missed

const clock = new BigClock();
const { events, state } = document.body.dataset;
let sheet = null;
let latest = 0;

async function draw({ sheet: news, age_s: ageS }) {
  if (!news) return;
  latest += 1;
  const turn = latest;
  const cameMs = performance.now();
  if (news.game?.public.winner) {
    await fetchEndWords();
    if (turn !== latest) return;
  }
  sheet = { ...news, madeMs: cameMs - ageS * 1000 };
  seen(sheet);
  clock.set(sheet.board?.clocks ?? [], ageS + (performance.now() - cameMs) / 1000, sheet.paused);
  drawHead(sheet);
  drawSeats(sheet, (seat) => openSeat(seat, sheet));
  drawButtons();
  drawUndo(sheet);
  drawMore(sheet);
  drawVotes(sheet);
  drawGrounds(sheet);
  drawRound(sheet);
  drawPlacing(sheet);
  drawDevices(sheet);
  drawVoice(sheet);
  drawNotices(sheet);
  drawLobby(sheet);
  drawNext(sheet, newGame());
  drawSheet(sheet);
}

listen();
listenNext(start);
listenLobby(() => drawNext(sheet, newGame()));
listenSeat(() => sheet);
listenTable(() => sheet);
drawSeats(null, (seat) => openSeat(seat, sheet));
for (const dialog of document.querySelectorAll("dialog")) {
  // What is beside a sheet is the page: a tap there puts it away.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

const link = new Link(draw, { events, state, onShut: shut });
let wasStale = false;

function drawNews() {
  const silentS = link.silentS();
  const stale = silentS > STALE_S;
  document.body.classList.toggle("stale", stale);
  write(byId("news"), stale ? say("news.none", { seconds: Math.floor(silentS) }) : say(link.polling ? "news.poll" : "news.live"));
  write(byId("age"), stale ? say("news.old", { seconds: Math.floor(silentS) }) : "");
  show(byId("age"), stale);
  if (stale !== wasStale) write(byId("said"), say(stale ? "news.lost" : "news.back"));
  wasStale = stale;
  if (sheet?.seats.some((seat) => seat.away_s > 0)) drawSeats(sheet);
}

drawNews();
setInterval(drawNews, 1000);
