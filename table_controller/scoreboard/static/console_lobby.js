// Before a game: who plays, by what rules, on which seats.

import { byId, make, rebuild, show, write } from "./dom.js";
import { give, takes } from "./console_orders.js";
import { say } from "./words.js";

const SEATS = 10;
const TYPING_MS = 250; // a pause in typing

const rows = [];
const known = new Map(); // by name: a player whom the club knows
let touched = false;
let filled = "";
let over = null;

const folded = (name) => name.trim().replace(/\s+/g, " ").toLocaleLowerCase();

function step(at, by) {
  const [one, other] = [rows[at], rows[at + by]];
  [one.input.value, other.input.value] = [other.input.value, one.input.value];
  touched = true;
  check();
  const button = by < 0 ? other.up : other.down;
  (button.disabled ? (by < 0 ? other.down : other.up) : button).focus();
}

function buildRow(at) {
  const line = make("li", "player");
  const input = make("input");
  input.type = "text";
  input.id = `player-${at + 1}`;
  input.maxLength = 40;
  input.setAttribute("list", "known");
  input.setAttribute("autocomplete", "off");
  input.setAttribute("enterkeyhint", "next");
  const label = make("label", "unseen");
  label.htmlFor = input.id;
  const barred = make("p", "problem");
  barred.id = `barred-${at + 1}`;
  input.setAttribute("aria-describedby", barred.id);
  const key = (word, by, shape) => {
    const button = make("button", "move", shape);
    button.type = "button";
    button.setAttribute("aria-label", say(word, { place: at + 1 }));
    button.disabled = at + by < 0 || at + by >= SEATS;
    button.addEventListener("click", () => step(at, by));
    return button;
  };
  const [up, down] = [key("player.up", -1, "↑"), key("player.down", 1, "↓")];
  const place = make("span", "no", String(at + 1));
  place.setAttribute("aria-hidden", "true");
  line.append(label, place, input, up, down, barred);
  input.addEventListener("input", () => {
    touched = true;
    check();
    ask(input.value);
  });
  // Enter goes to the next name, and from the last one on.
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || at + 1 >= SEATS) return;
    event.preventDefault();
    rows[at + 1].input.focus();
  });
  rows.push({ input, label, barred, up, down });
  return line;
}

function check() {
  const fixed = byId("fixed").checked;
  byId("players").classList.toggle("fixed", fixed);
  rows.forEach(({ input, label, barred }, at) => {
    const player = known.get(folded(input.value));
    const until = player?.barred ?? "";
    write(label, say(fixed ? "player.seat" : "player.place", { seat: at + 1, place: at + 1 }));
    write(barred, until ? say("player.barred", { until }) : "");
    input.toggleAttribute("aria-invalid", Boolean(until));
  });
}

// Why these ten cannot begin; "" when they can. The table has the last word.
function problem(names) {
  const missing = names.flatMap((name, at) => (name ? [] : [at + 1]));
  if (missing.length) return say("player.short", { places: missing.join(", ") });
  const twice = names.find((name, at) => names.findIndex((other) => folded(other) === folded(name)) < at);
  return twice ? say("player.twice", { name: twice }) : "";
}

export function start() {
  const names = rows.map(({ input }) => input.value.trim().replace(/\s+/g, " "));
  const why = problem(names);
  write(byId("new-game-problem"), why);
  if (why) {
    byId("lobby").open = true;
    const empty = rows.find(({ input }) => !input.value.trim());
    (empty ?? rows[0]).input.focus();
    return;
  }
  const players = names.map((name) => known.get(folded(name))?.id || name);
  give({ do: "new_game", players, fixed: byId("fixed").checked, ruleset: byId("ruleset").value });
}

export function drawLobby(sheet) {
  const lobby = sheet?.lobby;
  show(byId("lobby"), Boolean(lobby) && takes("new_game"));
  if (!lobby) {
    touched = false;
    filled = "";
    over = null;
    return;
  }
  // After a game its result is in sight first, and its players can play again.
  if (over !== sheet.over) byId("lobby").open = !sheet.over;
  over = sheet.over;
  for (const one of lobby.players) known.set(folded(one.name), one);
  const last = JSON.stringify(lobby);
  if (!touched && filled !== last) {
    filled = last;
    rows.forEach(({ input }, at) => (input.value = lobby.players[at]?.name ?? ""));
    byId("fixed").checked = lobby.fixed;
    rebuild(byId("ruleset"), lobby.rulesets, () =>
      lobby.rulesets.map((name) => new Option(say(`ruleset.${name}`), name)),
    );
    byId("ruleset").value = lobby.ruleset;
  }
  offer();
  check();
}

function offer() {
  const names = [...known.values()].map((one) => one.name);
  rebuild(byId("known"), names, () => names.map((name) => new Option("", name)));
}

// Ask who of the club is meant by what is being typed; names of guests are typed to the end.
let asks = 0;

function ask(part) {
  clearTimeout(asks);
  if (part.trim().length < 2) return;
  asks = setTimeout(async () => {
    try {
      const answer = await fetch(`${document.body.dataset.people}&q=${encodeURIComponent(part.trim())}`);
      if (!answer.ok) return;
      for (const one of await answer.json()) known.set(folded(one.name), one);
    } catch {
      return; // The name itself is enough.
    }
    offer();
    check();
  }, TYPING_MS);
}

// What the big button does while these players are being chosen.
export const newGame = () => (byId("lobby").hidden || !byId("lobby").open ? null : { do: "new_game" });

export function listenLobby(toggled) {
  byId("lobby").addEventListener("toggle", toggled);
  const list = byId("players");
  for (let at = 0; at < SEATS; at += 1) list.append(buildRow(at));
  byId("fixed").addEventListener("change", () => {
    touched = true;
    check();
  });
  byId("ruleset").addEventListener("change", () => (touched = true));
  byId("new-game").addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  check();
}
