// The table around the game: the round before the deal, devices, voice, notices.

import { byId, make, rebuild, show, write } from "./dom.js";
import { give, takes } from "./console_orders.js";
import { localTime } from "./console_game.js";
import { say } from "./words.js";

const NOTICES_SHOWN = 3;
const SEATS = 10;

let allNotices = false;

const waitsFor = (seat) =>
  !seat.ready && [seat.vote, seat.shout].some((state) => state === "missing" || state === "stuck");

export function drawRound(sheet) {
  const round = sheet?.readiness;
  show(byId("round"), Boolean(round));
  if (!round) return;
  const missing = round.seats.filter(waitsFor).map((seat) => seat.seat);
  const check = round.stage === "check";
  write(byId("round-line"), check ? say("round.done", { done: SEATS - missing.length }) : say(`round.${round.stage}`));
  write(byId("round-missing"), check && missing.length ? say("round.missing", { seats: missing.join(", ") }) : "");
}

export function drawPlacing(sheet) {
  const { asks = 0, placed = {} } = sheet?.placing ?? {};
  show(byId("placing"), asks > 0);
  if (!asks) return;
  write(byId("placing-line"), asks > SEATS ? say("place.all") : say("place.asks", { seat: asks }));
  write(byId("placing-done"), say("place.done", { count: Object.keys(placed).length }));
}

export function drawDevices(sheet) {
  const spares = sheet?.spares ?? [];
  const shown = spares.map(({ user, online, kit }) => [user, online, kit, sheet.identifying.includes(user), takes("identify")]);
  rebuild(byId("spares"), shown, () =>
    shown.map(([user, online, kit, shows, can]) => {
      const line = make("li", "spare");
      const unfit = kit && say("seat.kit", { kit, own: sheet.kit });
      const state = unfit || (online ? say("spare.online") : say("mark.offline"));
      line.append(make("p", "", `${say("seat.spare", { user })} · ${shows ? say("mark.identify") : state}`));
      if (can) {
        const button = make("button", "", say("do.identify"));
        button.type = "button";
        button.setAttribute("aria-label", `${say("do.identify")}: ${user}`);
        button.addEventListener("click", () => give({ do: "identify", node: user }));
        line.append(button);
      }
      return line;
    }),
  );
  for (const panel of ["devices-panel", "machine-panel"]) {
    show(byId(panel), Boolean(byId(panel).querySelector("button:not([hidden])")));
  }
}

export function drawVoice(sheet) {
  const line = sheet?.line;
  // What was said last stands there too; only a call that waits can be tapped on.
  show(byId("line"), Boolean(line));
  byId("line").disabled = !takes("next_line");
  show(byId("line-next"), takes("next_line"));
  write(byId("line-text"), line?.text ?? "");
  const voice = sheet?.voice;
  show(byId("voice-panel"), ["volume", "music", "read_out"].some(takes));
  if (!voice) return;
  const fault = voice.fault || (voice.on ? "" : say("voice.off"));
  write(byId("voice-line"), fault);
  show(byId("voice-line"), Boolean(fault));
  byId("volume").disabled = !takes("volume");
  byId("music").disabled = !takes("music");
  if (document.activeElement !== byId("volume")) byId("volume").value = voice.volume;
  byId("music").checked = voice.music;
  show(byId("by-hand").parentElement, takes("read_out"));
  byId("by-hand").checked = voice.by_hand;
}

export function drawNotices(sheet) {
  const all = [...(sheet?.notices ?? [])].reverse();
  const shown = allNotices ? all : all.slice(0, NOTICES_SHOWN);
  show(byId("notices-panel"), all.length > 0);
  show(byId("notices-all"), all.length > NOTICES_SHOWN);
  rebuild(byId("notices"), shown, () =>
    shown.map((notice) => {
      const line = make("li", "notice-line");
      const time = make("time", "soft", localTime(notice.utc));
      time.dateTime = notice.utc;
      line.append(time, make("p", "", notice.text));
      return line;
    }),
  );
}

export function listenTable(latest) {
  byId("volume").addEventListener("change", () => give({ do: "volume", percent: Number(byId("volume").value) }));
  byId("music").addEventListener("change", () => give({ do: "music", on: byId("music").checked }));
  byId("by-hand").addEventListener("change", () => give({ do: "read_out", on: byId("by-hand").checked }));
  byId("notices-all").addEventListener("click", () => {
    allNotices = !allNotices;
    byId("notices-all").setAttribute("aria-expanded", String(allNotices));
    drawNotices(latest());
  });
}
