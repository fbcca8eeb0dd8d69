import { stem } from "../words/stem.ts";

const setOf = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
const stemsOf = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/).map(stem));

export const BE: ReadonlySet<string> = setOf("is are was were be been being am 's");
export const HAVE: ReadonlySet<string> = setOf("has have had having");
export const DO: ReadonlySet<string> = setOf("do does did");
export const MODALS: ReadonlySet<string> = setOf("will would can could shall should may might must cannot gonna");
export const DETERMINERS: ReadonlySet<string> = setOf(
  "a an the this that these those my our your his her its their some any every each all both no another either neither which what whose",
);
export const PREPOSITIONS: ReadonlySet<string> = setOf(
  `in on at to into onto from with by for of about as through via using over under above below near beside behind between
  among against after before during since until till within without across around along toward towards per inside outside
  than onto upon off out up down like despite except besides versus vs`,
);
export const PRONOUNS: ReadonlySet<string> = setOf(
  "i we you he she it they me us him them this that these those there everyone everybody someone somebody nobody anyone anybody who one",
);
export const CONJUNCTIONS: ReadonlySet<string> = setOf(
  "and but or so because although though while whereas however yet",
);
/** Adverbs that may stand between a subject and its verb. */
export const ADVERBS: ReadonlySet<string> = setOf(
  `now then also still already just only never always often usually sometimes currently recently finally actually really
  no longer not soon again once rarely seldom mostly mainly officially temporarily permanently initially originally
  previously formerly later today yesterday tomorrow ever instead quite very too probably maybe perhaps likely both all
  automatically manually successfully`,
);
/** Words of negation, in the form the lexer gives them. */
export const NEGATIONS: ReadonlySet<string> = setOf(
  "not no never none nobody nothing neither nor nowhere cannot hardly barely lacks lack lacking seldom rarely rare",
);

/** Words that carry no topic of their own, whatever they stand beside. */
export const GENERIC: ReadonlySet<string> = stemsOf(
  `thing things stuff way lot kind sort type get got go going come make made do done say said note noted remember reminder
  update updated fyi correction actually currently current now new old latest recent recently today yet still already just
  really very quite also too again back instead anymore longer since officially finally apparently well ok okay yes hey hi
  hello please thanks always ever never usually mostly mainly total about approximately roughly around nearly almost least
  most exactly please heads small quick btw later earlier soon day part rest whole bit one ones`,
);

/** Nouns that only name which side of a subject a value is of; they may be left out. */
export const ATTRIBUTE_NOUNS: ReadonlySet<string> = stemsOf(
  `number count amount total size value level limit status state name version date time day deadline budget price cost
  fee length duration height width weight age address location place position role title colour color
  capacity quota threshold timeout interval period frequency score setting mode option default choice pricing bill reading
  count headcount charge figure sum result outcome estimate`,
);
