import { memoized } from "../../core/kernel/memoize.ts";

/** Forms whose stem no rule finds. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bear: "born borne",
    become: "became",
    break: "broke broken",
    begin: "began begun",
    bring: "brought",
    build: "built",
    buy: "bought",
    catch: "caught",
    come: "came",
    child: "children",
    choose: "chose chosen",
    draw: "drew drawn",
    drink: "drank drunk",
    drive: "drove driven",
    feed: "fed",
    freeze: "froze frozen",
    do: "did done doing",
    eat: "ate eaten",
    fall: "fell fallen",
    feel: "felt",
    fight: "fought",
    find: "found",
    fly: "flew flown flies",
    foot: "feet",
    forget: "forgot forgotten",
    get: "got gotten",
    give: "gave given",
    go: "went gone goes going",
    grow: "grew grown",
    hang: "hung",
    have: "has had having",
    hide: "hid hidden",
    hold: "held",
    keep: "kept",
    know: "knew known",
    lead: "led",
    leave: "left",
    lend: "lent",
    lie: "lay lain lying",
    lose: "lost",
    make: "made",
    man: "men",
    mean: "meant",
    meet: "met",
    mouse: "mice",
    pay: "paid",
    person: "people persons",
    read: "reading",
    ride: "rode ridden",
    ring: "rang rung",
    seek: "sought",
    shake: "shook shaken",
    shoot: "shot",
    shrink: "shrank shrunk",
    sink: "sank sunk",
    sit: "sat",
    steal: "stole stolen",
    strike: "struck",
    tear: "tore torn",
    rise: "rose risen",
    run: "ran",
    say: "said",
    see: "saw seen",
    sell: "sold",
    send: "sent",
    shut: "shutting",
    sing: "sang sung",
    sleep: "slept",
    speak: "spoke spoken",
    spend: "spent",
    stand: "stood",
    stick: "stuck",
    swim: "swam swum",
    take: "took taken",
    teach: "taught",
    tell: "told",
    think: "thought",
    throw: "threw thrown",
    tie: "tying",
    tooth: "teeth",
    understand: "understood",
    use: "using",
    wake: "woke woken",
    wear: "wore worn",
    win: "won",
    withdraw: "withdrew withdrawn",
    woman: "women",
    rewrite: "rewrote rewritten",
    rebuild: "rebuilt",
    write: "wrote written",
  }).flatMap(([base, forms]) => forms.split(" ").map((form) => [form, base] as const)),
);

/** Words that end like an inflected form and are none. */
const WHOLE: ReadonlySet<string> = new Set(
  `always bus canvas christmas evening gas kubernetes lens news perhaps plus red series shed sled species status this thing
  during nothing something anything everything hundred analysis basis thus us yes its his is was has does as less`.split(
    /\s+/,
  ),
);

const VOWEL = /[aeiouyäöüåæøéèáóíú]/;
const STEM_MIN = 3;

/**
 * The part of a word that its forms share (`moved`, `moves`, `moving` and `move` are all `mov`). Not a word of the
 * language: only for comparing with other stems. Expects lower case.
 */
export const stem = memoized((word) => {
  const base = IRREGULAR.get(word) ?? word;
  if (base.length <= STEM_MIN || WHOLE.has(base) || /[^\p{L}]/u.test(base)) return base;
  return tidy(withoutVerbEnding(withoutPlural(base)));
});

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("ed") && !word.endsWith("eed")) return shortened(word, "ed");
  if (word.endsWith("ing")) return shortened(word, "ing");
  return word;
}

/** A rest without a vowel, or of two letters, is no word: `bring`, `red`. */
function shortened(word: string, ending: string): string {
  const rest = word.slice(0, -ending.length);
  if (!VOWEL.test(rest)) return word;
  return rest.length >= STEM_MIN ? rest : `${rest}e`;
}

/** Endings that come and go between forms: a silent e, a doubled consonant, y for i. */
function tidy(word: string): string {
  if (word.length <= STEM_MIN) return word;
  if (word.endsWith("e")) return undoubled(word.slice(0, -1));
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}i`;
  return undoubled(word);
}

const undoubled = (word: string): string => (/([b-df-hj-np-tv-z])\1$/.test(word) ? word.slice(0, -1) : word);

/** The stems of words listed in a text, as lexicons are written. */
export const stems = (list: string): string[] => list.trim().split(/\s+/).map(stem);
