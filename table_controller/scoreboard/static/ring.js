// The ring: the table's rim is the clock, ten discs sit around it, a light falls on one of them.
// What it shows, the seats' list says in words.

import { byId } from "./dom.js";

const CIRCLE = "M0-58a58 58 0 1 0 0 116a58 58 0 1 0 0-116z";
const SQUARE = "M-38-56h76q18 0 18 18v76q0 18-18 18h-76q-18 0-18-18v-76q0-18 18-18z"; // a ballot paper
const DIAMOND = "M0-70L70 0 0 70-70 0z";
const POINTS = 14;
const BURST = `M${Array.from({ length: 2 * POINTS }, (_, at) => {
  const turn = (Math.PI * at) / POINTS;
  const r = at % 2 ? 57 : 80;
  return `${(r * Math.sin(turn)).toFixed(1)} ${(-r * Math.cos(turn)).toFixed(1)}`;
}).join("L")}z`;
const BADGE_R = 66; // from a disc's middle towards the table's
const STATES = ["gone", "nobody", "offline", "floor", "shouts", "called", "listed", "accused", "town", "foes"];

const angleOf = (seat) => 36 * (seat - 1) - 18; // degrees, clockwise from the top

function shapeOf(card) {
  if (card.shouts) return BURST;
  if (card.called) return SQUARE;
  return card.foes ? DIAMOND : CIRCLE;
}

function badgeOf(card) {
  if (card.over) return ["", ""];
  if (card.accused) return ["!", "alarm"];
  if (card.place && card.living) return [String(card.place), "place"];
  return card.readying ? ["✓", "good"] : ["", ""];
}

function drawDisc(disc, card) {
  for (const state of STATES) disc.classList.toggle(state, Boolean(card[state]));
  disc.querySelector(".body").setAttribute("d", shapeOf(card));
  const [text, kind] = badgeOf(card);
  const badge = disc.querySelector(".badge");
  const turn = (angleOf(card.seat) * Math.PI) / 180;
  badge.setAttribute("class", `badge ${kind}`);
  badge.setAttribute("transform", `translate(${-BADGE_R * Math.sin(turn)} ${BADGE_R * Math.cos(turn)})`);
  badge.querySelector("text").textContent = text;
}

let turned = 0;

// The light takes the shorter way round to the next seat; where there was none it goes on at once.
function pointLamp(seat, kind) {
  const ring = byId("ring");
  const glides = Boolean(ring.dataset.light);
  ring.dataset.light = seat ? kind : "";
  if (!seat) return;
  turned += ((((angleOf(seat) - turned) % 360) + 540) % 360) - 180;
  const lamp = byId("lamp");
  lamp.classList.toggle("glides", glides);
  lamp.style.transform = `rotate(${turned}deg)`;
}

export function drawRing(cards, clocks) {
  const discs = byId("ring").querySelectorAll(".disc");
  cards.forEach((card, at) => drawDisc(discs[at], card));
  const lit = ["shouts", "floor", "called", "accused"]
    .map((kind) => [kind, cards.filter((card) => card[kind])])
    .find(([, those]) => those.length === 1);
  pointLamp(lit ? lit[1][0].seat : 0, lit?.[0] ?? "");
  // The time that is left runs out towards the seat that has it.
  const seat = clocks[0]?.seat ?? 0;
  byId("clock-turn").setAttribute("transform", `rotate(${seat ? angleOf(seat) : 0} 500 500)`);
}
