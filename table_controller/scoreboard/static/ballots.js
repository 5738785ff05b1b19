// The list of nominees, and every ballot after it closed.

import { byId, make, rebuild, show, write } from "./dom.js";
import { say } from "./words.js";

function candidate(seat, name) {
  const box = make("span", "candidate");
  box.append(make("span", "no", String(seat)), make("span", "name", name));
  return box;
}

export function drawList(board, names) {
  const game = board?.game;
  const candidates = game?.candidates.length ? game.candidates : (game?.nominees ?? []);
  const called = game?.called ?? 0;
  const open = game && ["morning", "speech", "reading", "ballot", "counting", "tie_speech", "lift"].includes(game.phase);
  show(byId("list-panel"), Boolean(open));
  write(byId("list-head"), say(game?.candidates.length ? "list.candidates" : "list.nominees"));
  rebuild(byId("nominees"), [candidates, called, candidates.map((seat) => names[seat])], () =>
    candidates.length
      ? candidates.map((seat) => {
          const line = make("li", seat === called ? "nominee now" : "nominee");
          line.append(candidate(seat, names[seat]));
          if (seat === called) line.append(make("span", "tag called", say("tag.called")));
          return line;
        })
      : [make("li", "nobody-yet", say("nominees.none"))],
  );
}

function votersOf(ballot, target) {
  const voters = make("ul", "voters");
  const who = ballot.votes.filter(([, against]) => against === target).map(([seat]) => seat);
  for (const seat of who) {
    const auto = ballot.automatic.includes(seat);
    const chip = make("li", auto ? "voter auto" : "voter", String(seat));
    if (auto) chip.append(make("span", "auto-word", say("automatic")));
    voters.append(chip);
  }
  if (!who.length) voters.append(make("li", "no-voter", say("ballot.none")));
  return [who.length, voters];
}

function row(label, count, voters, verdict) {
  const line = make("div", verdict ? "row top-row" : "row");
  line.append(label, make("span", "count", String(count)), voters);
  if (verdict) line.append(make("span", "verdict", verdict));
  return line;
}

function buildBallot(ballot, names) {
  const box = make("article", `ballot ${ballot.kind}`);
  box.append(make("h3", "", say(`ballot.${ballot.kind}`, { day: ballot.day })));
  if (ballot.kind === "lift") {
    const all = make("span", "candidate");
    all.append(...ballot.candidates.map((seat) => make("span", "no", String(seat))));
    all.append(make("span", "name", say("ballot.for")));
    const [count, voters] = votersOf(ballot, 0);
    box.append(row(all, count, voters, say(ballot.top.length ? "ballot.passed" : "ballot.failed")));
    box.append(make("p", "needed", say("ballot.needed", { votes: count, living: ballot.living })));
    return box;
  }
  const verdict = say(ballot.top.length > 1 ? "ballot.tie" : "ballot.leaves");
  for (const seat of ballot.candidates) {
    const [count, voters] = votersOf(ballot, seat);
    const top = ballot.top.includes(seat) ? verdict : "";
    box.append(row(candidate(seat, names[seat]), count, voters, top));
  }
  return box;
}

export function drawBallots(board, names) {
  const ballots = board?.game.ballots ?? [];
  show(byId("ballots-panel"), ballots.length > 0);
  rebuild(byId("ballots"), [ballots, names], () =>
    ballots.map((ballot) => buildBallot(ballot, names)).reverse(),
  );
}
