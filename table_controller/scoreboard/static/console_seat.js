// One seat's own sheet: what can be ordered for it.

import { byId, make, rebuild, show, write } from "./dom.js";
import { give, takes } from "./console_orders.js";
import { marksOf, seatOf, tagsOf } from "./console_seats.js";
import { say } from "./words.js";

const OFFENCES = {
  technical_foul: [
    "insults", "aggressive_gestures", "bets", "religion", "foreign_language", "obscenity",
    "outside_arguments", "forbidden_gesture",
  ],
  disqualification: ["away", "messages", "threats", "nudity"],
};
const SEVERE = "forbidden_gesture"; // the one whose class the host may raise

let seat = 0;

export function openSeat(which, sheet) {
  seat = which;
  const view = sheet?.game?.public;
  byId("nominate-part").open = view?.phase === "speech" && view.floor === which;
  byId("fair-part").open = false;
  byId("device-part").open = !sheet?.game || sheet.over;
  byId("offence").selectedIndex = 0;
  byId("severe").checked = false;
  drawSheet(sheet);
  const dialog = byId("seat-sheet");
  dialog.showModal();
  dialog.scrollTop = 0;
}

function picks(node, values, onPick) {
  rebuild(node, [seat, values], () =>
    values.map(([value, word, name]) => {
      const button = make("button", String(word).length > 2 ? "pick wide" : "pick", String(word));
      button.type = "button";
      if (name) button.setAttribute("aria-label", name);
      button.addEventListener("click", () => onPick(value));
      const line = make("li");
      line.append(button);
      return line;
    }),
  );
}

function seatPick(sheet, each) {
  const name = sheet.seats.find((one) => one.seat === each)?.name;
  return [each, each, `${say("seat", { seat: each })}${name ? `, ${name}` : ""}`];
}

function drawVote(sheet, one) {
  const view = sheet?.game?.public;
  const open = takes("correct_vote") && one.votes;
  show(byId("vote-part"), open);
  if (!open) return;
  const yes = view.motion || view.phase === "lift" || view.kind === "lift";
  const upTo = view.phase === "ballot" && view.called ? view.candidates.indexOf(view.called) + 1 : undefined;
  const values = yes
    ? [[0, say("seat.for")]]
    : view.candidates.slice(0, upTo).map((each) => seatPick(sheet, each));
  values.push([null, say("seat.no_vote")]);
  picks(byId("vote-picks"), values, (candidate) => give({ do: "correct_vote", seat, candidate }));
}

function drawNominate(sheet, one) {
  const view = sheet?.game?.public;
  const open = takes("correct_nomination") && (one.living || one.floor);
  show(byId("nominate-part"), open);
  if (!open) return;
  const free = view.seats.filter((each) => each.living && !view.nominees.includes(each.seat));
  const values = free.map((each) => seatPick(sheet, each.seat));
  values.push([null, say("seat.nobody")]);
  picks(byId("nominate-picks"), values, (nominee) =>
    give({ do: "correct_nomination", speaker: seat, nominee }),
  );
}

function drawFairPlay() {
  const rules = takes("rule") || takes("open_grounds") || takes("put_opponent_victory");
  show(byId("fair-part"), rules);
  show(byId("open-grounds"), takes("open_grounds"));
  for (const button of document.querySelectorAll("[data-rule]")) show(button, takes("rule"));
  show(byId("severe-line"), byId("offence").value === SEVERE && takes("open_grounds"));
}

function drawDevice(sheet, one) {
  const lacks = one.lacks.map((part) => say(`mark.lacks.${part}`));
  if (one.kit) lacks.push(say("seat.kit", { kit: one.kit, own: one.own }));
  write(byId("device-line"), [say("seat.device", { user: one.user ?? "" }), ...lacks].join(" · "));
  const camera = takes("camera") && one.camera !== "none";
  show(byId("camera-on"), camera && one.camera === "off");
  show(byId("camera-off"), camera && one.camera !== "off");
  show(byId("swap-part"), takes("swap"));
  const nodes = [
    ...(sheet?.spares ?? []).map(({ user }) => [user, say("seat.spare", { user })]),
    ...(sheet?.seats ?? [])
      .filter((each) => each.seat !== seat)
      .map(({ user, seat: at }) => [user, say("seat.with", { user, seat: at })]),
  ];
  const select = byId("node");
  const chosen = select.value;
  rebuild(select, nodes, () => nodes.map(([user, word]) => new Option(word, user)));
  if (nodes.some(([user]) => user === chosen)) select.value = chosen;
  const any = camera || takes("swap") || takes("identify");
  show(byId("device-part"), any);
}

export function drawSheet(sheet) {
  if (!seat) return;
  const one = seatOf(sheet, seat);
  write(byId("seat-head"), one.name ? `${seat} · ${one.name}` : say("seat", { seat }));
  const marks = marksOf(one);
  if (!one.over && one.living) marks.push(["plain", say("fouls", { fouls: one.fouls }), ""]);
  rebuild(byId("seat-tags"), marks, () => tagsOf(marks, "li"));
  const can = { // what the rules would refuse of this seat anyhow
    give_foul: one.living && !one.floor,
    take_back_foul: one.living && one.fouls > 0,
    withdraw: one.living && !one.ruled,
  };
  for (const button of byId("seat-sheet").querySelectorAll("[data-seat-order]")) {
    const name = button.dataset.seatOrder;
    show(button, takes(name) && can[name] !== false);
  }
  drawVote(sheet, one);
  drawNominate(sheet, one);
  drawFairPlay();
  drawDevice(sheet, one);
  for (const part of byId("seat-sheet").querySelectorAll("[data-some]")) {
    show(part, Boolean(part.querySelector("button:not([hidden])")));
  }
  const parts = ["vote-part", "nominate-part", "fair-part", "device-part"].map(byId);
  const some = byId("seat-sheet").querySelector("[data-some]:not([hidden])");
  show(byId("seat-nothing"), !some && parts.every((part) => part.hidden));
}

export function listenSeat(latest) {
  for (const [sanction, offences] of Object.entries(OFFENCES)) {
    const group = document.createElement("optgroup");
    group.label = say(`sanction.${sanction}`);
    group.append(...offences.map((each) => new Option(say(`offence.${each}`), each)));
    byId("offence").append(group);
  }
  byId("offence").addEventListener("change", () => drawSheet(latest()));
  for (const button of byId("seat-sheet").querySelectorAll("[data-seat-order]")) {
    button.addEventListener("click", () => give({ do: button.dataset.seatOrder, seat }));
  }
  for (const button of document.querySelectorAll("[data-rule]")) {
    const rule = () => ({ do: "rule", sanction: button.dataset.rule, seat, offence: byId("offence").value });
    button.addEventListener("click", () => give(rule()));
  }
  byId("open-grounds").addEventListener("click", () => {
    const offence = byId("offence").value;
    give({ do: "open_grounds", seat, offence, severe: offence === SEVERE && byId("severe").checked });
  });
  byId("camera-on").addEventListener("click", () => give({ do: "camera", seat, on: true }));
  byId("camera-off").addEventListener("click", () => give({ do: "camera", seat, on: false }));
  byId("swap").addEventListener("click", () => give({ do: "swap", seat, node: byId("node").value }));
}
