/** Format characters that are drawn all the same: signs around the numbers after them. */
const DRAWN = "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}";

/**
 * What nobody sees: controls, format characters, halves of characters, other ends of lines, whatever Unicode lets a program
 * leave out, blank letters. Tabs and ends of lines are none.
 */
const UNSEEN =
  `(?!\\r\\n|[\\t\\n${DRAWN}])` +
  "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800]";

const JOINING_SCRIPTS =
  `Arabic Syriac Mandaic Nko Adlam Hanifi_Rohingya Phags_Pa Mongolian Devanagari Bengali Gurmukhi Gujarati
  Oriya Tamil Telugu Kannada Malayalam Sinhala Myanmar Khmer Tibetan Balinese Javanese Sundanese Newa Tirhuta Grantha Chakma
  Meetei_Mayek Thaana`.split(/\s+/);
/** A letter or mark of an alphabet that is written with joiners. */
const JOINING = `[${JOINING_SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]`;
const PICTURE = "\\p{Extended_Pictographic}";
const FLAGS = ["gbeng", "gbsct", "gbwls"].map((name) => `${[...name].map(asTag).join("")}\\u{e007f}`);

function asTag(letter: string): string {
  return `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`;
}

/**
 * Those that scripts and emoji cannot do without, each directly after what needs it, so that no two follow each other: text
 * in any language stays as it is, and nothing can be written in them alone.
 */
const NEEDED = [
  `(?<=${PICTURE})[\\ufe0e\\ufe0f]`,
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  `(?<=${PICTURE}\\ufe0f?|[\\u{1f3fb}-\\u{1f3ff}])\\u200d(?=${PICTURE})`,
  `(?<=${JOINING})[\\u200c\\u200d]`,
  `(?<=[\\p{L}\\p{M}\\p{N}])[\\u200c\\u200d](?=${JOINING})`,
  "(?<=\\p{Script=Mongolian})(?<![\\u180b-\\u180f])[\\u180b-\\u180f]",
  `(?<=\\u{1f3f4})(?:${FLAGS.join("|")})`,
  "(?<=[\\u2801-\\u28ff])\\u2800(?=[\\u2801-\\u28ff])",
].join("|");

/** Characters that are looked at together: a longer run would take longer than its parts. */
const RUN_MAX = 64;
const ANY = new RegExp(UNSEEN, "u");
const EACH = new RegExp(`(?:${UNSEEN}){1,${RUN_MAX}}`, "gu");
const RUNS = new RegExp(`(?=${UNSEEN})(?:(${NEEDED})|(?:(?!${NEEDED})${UNSEEN}){1,${RUN_MAX}})`, "gu");
const UNSHOWN = new RegExp(`${UNSEEN}|\\r|[\\p{Co}\\p{Cn}\\p{Variation_Selector}]`, "gu");
const LINE_END = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g;

/** What takes no room on a page and stands in many an honest text: left out. All else that is unseen is shown as U+FFFD. */
const WIDTHLESS =
  /^(?:\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|[\u180b-\u180f]|[\u00ad\u061c\u200b\u200e\u200f\u2060-\u2064\ufeff]|\u200c|\u200d)+$/u;

/** A text of which a reader sees everything; one without hidden characters is unchanged. Lines stay lines. */
export function shown(text: string): string {
  if (!ANY.test(text)) return text;
  return text
    .replace(LINE_END, "\n")
    .replace(RUNS, (run: string, needed: string | undefined) => needed ?? (WIDTHLESS.test(run) ? "" : "\ufffd"));
}

/** Whether a character is one that nobody sees, by itself. */
export const isUnseen = (character: string): boolean => (character < " " || character > "~") && ANY.test(character);

/** The same on one line, with single spaces. */
export const shownOnOneLine = (text: string): string => shown(text).replace(/\s+/g, " ").trim();

/** Whether a reader sees all of a text, on one line. */
export const isShownWhole = (text: string): boolean => !/[\t\n\r]/.test(text) && shown(text) === text;

/** A JSON text with everything unseen written as an escape: it says the same, and no terminal obeys it. */
export const escapedJson = (json: string): string => (ANY.test(json) ? json.replace(EACH, escaped) : json);

/** The same but for what scripts and emoji need: for a model, which reads texts in their language. */
export const escapedForReading = (json: string): string =>
  ANY.test(json) ? json.replace(RUNS, (run: string, needed: string | undefined) => needed ?? escaped(run)) : json;

/** Characters as escapes of JSON. */
export function escaped(characters: string): string {
  let text = "";
  for (let i = 0; i < characters.length; i++)
    text += `\\u${(0x10000 + characters.charCodeAt(i)).toString(16).slice(1)}`;
  return text;
}

/** A text with everything unseen, or of no known meaning, spelled out as `\u{1b}`: to be looked at before it is agreed to. */
export const spelledOut = (text: string): string =>
  text.replace(UNSHOWN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
