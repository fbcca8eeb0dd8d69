/** Questions of all manners around one word, which stands for X. */
export const TEMPLATES: readonly string[] = [
  "tell me about the X thing",
  "Which entry mentions X please?",
  "what do we know about X",
  "X",
  "remind me what X was about",
  "Is there anything on X in my notes?",
  "can you find the note where somebody talked about X",
  "where did we write down the X details",
  "so what was the story with X again",
  "hey, do you remember X?",
  "I think there was something regarding X last month",
  "what is X used for",
  "who is responsible for X",
  "when was X last changed",
  "why did we decide on X",
  "how does X work",
  "please show me everything concerning X",
  "what did the team say about X in the meeting",
  "any news on X",
  "look up X for me, would you",
  "I need the information about X quickly",
  "give me the summary of X",
  "what happened with X after the release",
  "does X still have a problem",
  "how do I set up X on a new machine",
  "which project uses X at the moment",
  "what should a new colleague know about X",
  "is X safe to use in the customer environment",
  "who asked for X and what was the reason",
  "have we ever had trouble with X",
  "explain X like I am new to the company",
  "what are the open questions around X",
  "where can I read more about X",
  "the X story, what was it",
  "and X? what about that one",
  "list what was written about X",
  "what changed for X since the beginning of the year",
  "do you have the X record at hand",
  "could you check whether X is mentioned anywhere",
  "what were the numbers for X",
];

/** What the words of a template stand beside in two rows that are near in meaning, and do not hold the word. */
const NEIGHBOURS = ["the quarterly report", "our mail archive"] as const;

/** What a row tells of its word. */
const TOLD: readonly string[] = [
  "The X adapter keeps its settings in a folder beside the archive.",
  "Moritz prefers tea without sugar whenever X comes up at lunch.",
  "Invoices that reach us through X are paid within thirty days.",
  "We ordered two spare parts for X from the supplier in Leeds.",
  "The lamp in the hall hums since X was put on the same fuse.",
  "Trains to the coast leave hourly, says the X leaflet.",
  "Backups of X are pruned by the night shift.",
  "On Friday the cat slept on the X carton.",
  "X answers with a blank page where the session has run out.",
  "Grandmother keeps her recipe for plum cake in the X tin.",
  "The second parser of X chokes on tabs.",
  "Rent for the X storage unit rises by four percent.",
  "A customer in Oslo asks whether X speaks Norwegian.",
  "The garden hose fits the tap only with X between them.",
  "Keys for X hang on the left hook in the porch.",
  "Latency of X doubled as soon as the cache was cold.",
  "The dentist wrote X on the back of the card.",
  "Our designer drew X with a green border.",
  "X was rolled back before lunch, nobody noticed.",
  "The choir rehearses above the X workshop.",
];

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";

/** Draws as the same seed always does (mulberry32). */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % below) | 0;
  };
}

type Draw = (below: number) => number;
const one = (letters: string, draw: Draw): string => letters.charAt(draw(letters.length));
const syllable = (draw: Draw): string => `${one(CONSONANTS, draw)}${one(VOWELS, draw)}${one(CONSONANTS, draw)}`;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The shapes that words have, taken in turn. */
const SHAPES: readonly ((draw: Draw) => string)[] = [
  (draw) => syllable(draw) + syllable(draw),
  (draw) => capital(syllable(draw)) + capital(syllable(draw)),
  (draw) => (syllable(draw) + syllable(draw)).toUpperCase(),
  (draw) => `${syllable(draw)}-${syllable(draw)}`,
  (draw) => `${syllable(draw).toUpperCase()}-${100 + draw(900)}`,
  (draw) => `${one(CONSONANTS, draw)}${draw(10)}${syllable(draw)}${draw(10)}`,
  (draw) => `${one("jqvwxz", draw)}${one("jqvwxz", draw)}${one(CONSONANTS, draw)}`,
  (draw) => `${syllable(draw)}_${syllable(draw)}.${one(CONSONANTS, draw)}v`,
  (draw) => `${syllable(draw)}${syllable(draw)}${one(VOWELS, draw)}`,
];

/** Words of the language, each of which is in one row too. */
const SPOKEN =
  `kestrel marzipan trellis gondola bramble lantern saffron walrus cobalt thimble quartz pelican juniper mosaic
  turnip harpoon velvet obelisk tundra cactus`.split(/\s+/);

/** So many words, each another. */
export function rareWords(count: number): string[] {
  const draw = drawer(20_26);
  const words = new Map(SPOKEN.slice(0, Math.floor(count / 10)).map((word) => [word, word]));
  for (let i = 0; words.size < count; i++) {
    const word = SHAPES[i % SHAPES.length]?.(draw) ?? "";
    if (!words.has(word.toLowerCase())) words.set(word.toLowerCase(), word);
  }
  return [...words.values()];
}

/** What a store tells: each word in one row of its own, and the words of all templates in two rows without any of them. */
export function rowsAround(words: readonly string[]): { readonly word: string | null; readonly text: string }[] {
  const held = words.map((word, i) => ({ word, text: withWord(TOLD[i % TOLD.length] ?? "X", word) }));
  const others = TEMPLATES.flatMap((template) =>
    NEIGHBOURS.map((neighbour) => ({ word: null, text: withWord(template, neighbour) })),
  );
  return [...held, ...others];
}

/** Every question around every word, in lower case every other time. */
export const questionsAround = (words: readonly string[]): { readonly word: string; readonly query: string }[] =>
  words.flatMap((word, i) =>
    TEMPLATES.map((template, j) => ({
      word,
      query: withWord(template, (i + j) % 2 === 0 ? word : word.toLowerCase()),
    })),
  );

const withWord = (text: string, word: string): string => text.replaceAll(/\bX\b/g, () => word);
