// The list in order, the newest closed ballot, and all earlier ones as a matrix.

import { byId, make, rebuild, show, write } from "./dom.js";
import { say } from "./words.js";

const LISTING = ["speech", "motion", "reading", "ballot", "counting", "tie_speech", "lift"];
const MANY = 3; // nominees, or candidates, that have a line of their own
const SEATS = Array.from({ length: 10 }, (_, at) => at + 1);

function candidate(seat, name) {
  const box = make("span", "candidate");
  box.append(make("span", "no", String(seat)), make("span", "name", name));
  return box;
}

// Who can be voted out now, in order, and whether they are the candidates of a ballot already.
export function listOf(game) {
  if (!LISTING.includes(game?.phase)) return [[], false];
  if (game.candidates.length) return [game.candidates, true];
  const tied = game.phase === "tie_speech" ? game.ballots.at(-1)?.top : null;
  return tied ? [tied, true] : [game.nominees, false];
}

export function drawList(board, names) {
  const game = board?.game;
  const [candidates, inBallot] = listOf(game);
  const called = game?.called ?? 0;
  show(byId("list-panel"), Boolean(game && LISTING.includes(game.phase)));
  write(byId("list-head"), say(inBallot ? "list.candidates" : "list.nominees"));
  byId("nominees").classList.toggle("many", candidates.length > MANY);
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

// ---- the newest ----

function votersOf(ballot, target) {
  const voters = make("ul", "voters");
  const who = ballot.votes.filter(([, against]) => against === target).map(([seat]) => seat);
  for (const seat of who) {
    const auto = ballot.automatic.includes(seat);
    const chip = make("li", auto ? "voter auto" : "voter", String(seat));
    if (auto) chip.append(make("span", "unseen", ` ${say("automatic")}`));
    voters.append(chip);
  }
  if (!who.length) voters.append(make("li", "no-voter", say("ballot.none")));
  return [who.length, voters];
}

function row(label, count, voters, verdict) {
  const line = make("div", verdict ? "row top-row" : count ? "row" : "row none");
  line.append(label, make("span", "count", String(count)), voters);
  if (verdict) line.append(make("span", "verdict", verdict));
  return line;
}

function buildLift(ballot) {
  const all = make("span", "candidate");
  all.append(...ballot.candidates.map((seat) => make("span", "no", String(seat))));
  all.append(make("span", "name", say("ballot.for")));
  const [count, voters] = votersOf(ballot, 0);
  return [
    row(all, count, voters, say(ballot.top.length ? "ballot.passed" : "ballot.failed")),
    make("p", "needed", say("ballot.needed", { votes: count, living: ballot.living })),
  ];
}

function buildBallot(ballot, names) {
  if (ballot.kind === "lift") return buildLift(ballot);
  const verdict = say(ballot.top.length > 1 ? "ballot.tie" : "ballot.leaves");
  const rows = ballot.candidates.map((seat) => {
    const [count, voters] = votersOf(ballot, seat);
    return row(candidate(seat, names[seat]), count, voters, ballot.top.includes(seat) ? verdict : "");
  });
  return ballot.automatic.length ? [...rows, make("p", "legend", say("matrix.automatic"))] : rows;
}

// ---- the earlier ones ----

function sign(className, text, word) {
  const box = make("td", className, text);
  if (word) box.append(make("span", "unseen", ` ${word}`));
  return box;
}

function voteCell(ballot, seat) {
  const vote = ballot.votes.find(([voter]) => voter === seat);
  const lift = ballot.kind === "lift";
  if (lift) return vote ? sign("yes", "✓", say("matrix.yes")) : sign("", "");
  if (!vote) return sign("", "");
  const auto = ballot.automatic.includes(seat);
  const kind = `${auto ? "auto " : ""}${ballot.top.includes(vote[1]) ? "most" : ""}`;
  return sign(kind.trim(), String(vote[1]), auto ? say("automatic") : "");
}

function outcomeCell(ballot) {
  if (ballot.kind === "lift") {
    return ballot.top.length ? sign("end", "✓", say("ballot.passed")) : sign("end", "–", say("ballot.failed"));
  }
  if (ballot.top.length > 1) return sign("end", "=", say("ballot.tie"));
  return sign("end most", String(ballot.top[0] ?? "–"));
}

function headCell(scope, text) {
  const cell = make("th", "", text);
  cell.scope = scope;
  return cell;
}

function buildMatrix(ballots) {
  const table = make("table", "matrix");
  const head = make("tr");
  const out = headCell("col", "→");
  out.append(make("span", "unseen", ` ${say("matrix.out")}`));
  head.append(make("td"), ...SEATS.map((seat) => headCell("col", String(seat))), out);
  const rows = ballots.map((ballot) => {
    const line = make("tr");
    const label = headCell("row", say(`matrix.${ballot.kind}`, { day: ballot.day }));
    line.append(label, ...SEATS.map((seat) => voteCell(ballot, seat)), outcomeCell(ballot));
    return line;
  });
  table.append(head, ...rows);
  const automatic = ballots.some((ballot) => ballot.automatic.length);
  return automatic ? [table, make("p", "legend", say("matrix.automatic"))] : [table];
}

export function drawBallots(board, names) {
  const ballots = board?.game.ballots ?? [];
  const last = ballots.at(-1);
  const earlier = ballots.slice(0, -1).reverse();
  show(byId("ballot-panel"), Boolean(last));
  write(byId("ballot-head"), last ? say(`ballot.${last.kind}`, { day: last.day }) : "");
  byId("ballot").classList.toggle("lift", last?.kind === "lift");
  byId("ballot").classList.toggle("many", (last?.candidates.length ?? 0) > MANY);
  rebuild(byId("ballot"), [last, names], () => (last ? buildBallot(last, names) : []));
  show(byId("earlier-panel"), earlier.length > 0);
  byId("earlier").classList.toggle("many", earlier.length > 8);
  rebuild(byId("earlier"), earlier, () => (earlier.length ? buildMatrix(earlier) : []));
}
