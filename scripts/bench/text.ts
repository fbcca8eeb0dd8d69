/** Draws numbers that look random and are the same in every run. */
export type Dice = () => number;

/** Mulberry32: 0 up to 1, from a seed of 32 bits. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A made-up memory: a turn of a conversation, or a statement of its own. */
export interface MadeUpRow {
  readonly content: string;
  readonly run_id: string | null;
}

const COMMON = `team plan report week meeting project release budget customer garden kitchen school doctor train ticket
  server invoice contract office holiday family sister brother dinner recipe bicycle guitar piano concert novel museum
  coffee breakfast schedule deadline review draft proposal interview candidate manager colleague partner supplier harbor
  bridge river mountain forest beach island village market bakery library hospital pharmacy insurance mortgage apartment
  neighbor roof window carpet painting camera lens printer laptop keyboard monitor battery charger router network backup
  database migration deployment rollback outage incident latency dashboard metric alert ticketing workflow pipeline test
  coverage refactor module interface protocol token session password account payment refund discount coupon shipping
  warehouse inventory forecast survey feedback newsletter campaign brand logo website domain hosting license agreement
  lawyer court permit inspection engine brake tire garage highway airport flight luggage passport visa hotel booking
  reservation restaurant menu allergy vitamin exercise marathon training coach tournament stadium referee chess puzzle
  knitting pottery sculpture theater rehearsal audition script costume orchestra violin lesson homework exam scholarship
  university professor laboratory experiment sample microscope telescope satellite rocket climate drought harvest orchard
  tractor barn stable pony kitten puppy veterinarian aquarium parrot beehive honey candle lantern blanket pillow quilt
  jacket boots scarf umbrella suitcase backpack compass tent campfire canoe paddle anchor lighthouse ferry tram scooter`;
const VERBS = `moved cancelled approved forgot bought repaired finished postponed described recommended booked returned
  sold cleaned painted tested replaced ordered signed questioned compared measured shipped translated borrowed planted`;
const SYLLABLES = `bar cel dor fen gal hin jor kel lum mar nor pel quin ras sol tam ul ven wex yor zan bri cra dre flo gri
  ka lo mi ne ro sa ti vu wa xi el an or is en ta`;
const PEOPLE = `Amara Bastian Chiara Dmitri Elif Farid Greta Hiro Ines Jonas Kavya Leif Mirela Nadim Oksana Pavel Quynh
  Rosa Sanjay Tove Ulrich Vera Wanjiru Ximena Yusuf Zofia`;
const DAYS = `yesterday|last week|on Monday|on Friday|two days ago|in March|in October|on June 12th|last month|this morning`;

const words = (text: string): string[] => text.trim().split(/\s+/);
const VERB_LIST = words(VERBS);
const SYLLABLE_LIST = words(SYLLABLES);
const PERSON_LIST = words(PEOPLE);
const DAY_LIST = DAYS.split("|");
const VOCABULARY_SIZE = 8_000;

/** Speaks for a made-up world: rows to store, and questions about them. */
export interface Author {
  /** Rows in the order in which they are written: runs of turns, and facts between them. */
  rows(count: number): MadeUpRow[];
  /** Questions, no two alike. */
  questions(count: number): string[];
}

/** Everything follows from the seed. */
export function createAuthor(seed: number): Author {
  const dice = createDice(seed);
  const speech = createSpeech(dice);
  const turns = (run: number): MadeUpRow[] => {
    const speakers = [speech.person(), speech.person()];
    return Array.from({ length: 6 + Math.floor(dice() * 18) }, (_, i) => ({
      content: `${speakers[i % 2]}: ${dice() < ASKING_SHARE ? speech.remark() : speech.passage()}`,
      run_id: `run-${seed}-${run}`,
    }));
  };
  const facts = (): MadeUpRow[] =>
    Array.from({ length: 4 + Math.floor(dice() * 12) }, () => ({ content: speech.passage(), run_id: null }));
  return {
    rows: (count) => {
      const rows: MadeUpRow[] = [];
      for (let run = 0; rows.length < count; run++) rows.push(...turns(run), ...facts());
      return rows.slice(0, count);
    },
    questions: (count) => {
      const asked = new Set<string>();
      while (asked.size < count) asked.add(speech.question());
      return [...asked];
    },
  };
}

/** Share of the turns that only ask. */
const ASKING_SHARE = 0.2;

function createSpeech(dice: Dice) {
  const pick = (list: readonly string[]): string => list[Math.floor(dice() * list.length)] ?? "";
  // Zipf's law with exponent one: the logarithm of the rank is evenly spread.
  const noun = (): string => VOCABULARY[Math.floor(VOCABULARY_SIZE ** dice()) - 1] ?? "";
  const person = () => pick(PERSON_LIST);
  const did = () => pick(VERB_LIST);
  const day = () => pick(DAY_LIST);
  const sentence = (): string =>
    pick([
      `${person()} ${did()} the ${noun()} ${noun()} ${day()} because of the ${noun()}.`,
      `The ${noun()} for the ${noun()} is in the ${noun()}, next to the ${noun()} and the old ${noun()}.`,
      `We ${did()} the ${noun()} with ${person()}, and the ${noun()} was better than expected.`,
      `${person()} prefers a ${noun()} to any ${noun()}, especially after the ${noun()} ${day()}.`,
      `Nobody told me about the ${noun()}, so I ${did()} the ${noun()} and asked for another ${noun()}.`,
      `It took ${2 + Math.floor(dice() * 90)} hours until the ${noun()} near the ${noun()} was ${did()}.`,
    ]);
  return {
    person,
    remark: () => `What about the ${noun()} and the ${noun()}?`,
    passage: () => Array.from({ length: 1 + Math.floor(dice() ** 2 * 4) }, sentence).join(" "),
    question: () =>
      pick([
        `When did ${person()} talk about the ${noun()} and the ${noun()}?`,
        `What happened to the ${noun()} near the ${noun()}?`,
        `Why was the ${noun()} ${did()} ${day()}?`,
        `Which ${noun()} does ${person()} prefer after the ${noun()}?`,
        `Who ${did()} the ${noun()} ${noun()} in the ${noun()}?`,
      ]),
  };
}

/** Common words first, then ever rarer made-up ones; the same for every seed, so that questions meet rows. */
const VOCABULARY = createVocabulary(createDice(1));

function createVocabulary(dice: Dice): string[] {
  const known = new Set(words(COMMON));
  const syllable = () => SYLLABLE_LIST[Math.floor(dice() * SYLLABLE_LIST.length)] ?? "";
  while (known.size < VOCABULARY_SIZE)
    known.add(dice() < 0.5 ? syllable() + syllable() : syllable() + syllable() + syllable());
  return [...known];
}
