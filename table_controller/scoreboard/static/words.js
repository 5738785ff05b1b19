// The page's words, in the viewer's language, and its numbers.

import { byId } from "./dom.js";

export const language = document.documentElement.lang;
const words = JSON.parse(byId("words").textContent);

export function say(key, values = {}) {
  const text = words[key] ?? key.slice(key.indexOf(".") + 1);
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

let end = null;

// Roles, winners, points: not on the page before the game is over.
export function fetchEndWords() {
  end ??= fetch(document.body.dataset.endWords)
    .then((answer) => {
      if (!answer.ok) throw new Error(`words: ${answer.status}`);
      return answer.json();
    })
    .then((more) => Object.assign(words, more))
    .catch((problem) => {
      end = null;
      throw problem;
    });
  return end;
}

const signed = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});
const tenths = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const points = (hundredths) => signed.format(hundredths / 100);

// The last ten seconds with tenths, else minutes and begun seconds.
export function clockTime(leftS) {
  if (leftS < 9.95) return tenths.format(leftS);
  const whole = Math.ceil(leftS - 0.05);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
