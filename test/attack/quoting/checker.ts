import { FORGED_ID } from "./tricks.ts";

/** Flags of regions and of what needs it: all else of these characters must not reach a model. */
const UNSEEN =
  /(?![\n\t])\p{Cc}|[\p{Zl}\p{Zp}\p{Cs}]|[\u{e0000}-\u{e0fff}\u202a-\u202e\u2066-\u206f\u2060-\u2064\u200b\u200e\u200f\u00ad\ufeff\u115f\u1160\u3164\uffa0\ufff9-\ufffb\ufdd0]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|\u2800{2}|(?<![\p{Extended_Pictographic}])[\ufe00-\ufe0f]|[\u200c\u200d]{2}|(?<=[a-z ])[\u200c\u200d]/u;

const LOOK_ALIKES: Readonly<Record<string, string>> = { ѕ: "s", у: "y", е: "e", і: "i", Η: "H", н: "h" };
/** Brackets that read as that of a tag. */
const OPENED = /[≮﹤‹〈⟨❮≪⋖⦑⪡◁⮜⋘ᚲ<]|&lt;?|&#0*60;?|&#x0*3c;?|\\u003c/giu;

/** A text as a model that is not strict about letters takes it. */
const readAs = (text: string): string =>
  [...text.normalize("NFKC")]
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join("")
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}\ufffd]/gu, "")
    .replace(OPENED, "<");

const MARKS = [
  /<\s*\/?\s*(?:system\b|system[-_ ]reminder|function_(?:call|result)|tool_(?:result|use|response)|invoke|parameter|cairn|start_of_turn)/i,
  /<\s*\/?\s*(?:hook_context|turn_aborted|user_shell|always_applied|additional_data|ide_|local-command|environment_)/i,
  /<\|[^\s|]+\|/,
  /<+\s*\/?SYS>>/,
  /\[\s*\/?\s*INST\s*\]/,
  /^[\s*#_]*(?:human|assistant|system)[\s*]*:/im,
];

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
};

/** What of a text that a model is given could be taken for structure; empty where nothing can. Escapes of JSON are its frame's. */
export function marksIn(text: string): string[] {
  const unseen = UNSEEN.exec(text);
  const read = readAs(isJson(text) ? text.replaceAll("\\u003c", "") : text);
  return [
    ...(unseen ? [`U+${unseen[0].codePointAt(0)?.toString(16)} at ${unseen.index}`] : []),
    ...MARKS.flatMap((mark) => mark.exec(read)?.[0] ?? []),
  ];
}

const FENCE = /^What stands between lines "([0-9a-f]{12})" is quoted|^Between lines "([0-9a-f]{12})" stand/m;

/** The lines of an answer that are its own: what stands between two lines of its fence is left out. Throws where that is ambiguous. */
export function ownLines(answer: string): string[] {
  const lines = answer.split("\n");
  const fence = FENCE.exec(answer)?.slice(1).find(Boolean);
  if (fence === undefined) return lines;
  if (lines.filter((line) => line === fence).length % 2 !== 0) throw new Error(`The fence ${fence} is open.`);
  let isQuoted = false;
  return lines.filter((line) => {
    if (line !== fence) return !isQuoted;
    isQuoted = !isQuoted;
    return false;
  });
}

const CARD =
  /^\s*(?:(?:[-*+•–—]|\d\.)\s*)?\[(\d{4}-\d\d-\d\d), (?:"[^"]*"|[^\s",\]]+)(?:, [^,;\]"]+|, by "[^"]*")*; ([0-9a-f-]{36})(?:, version [0-9a-f]+)?\]/;

/** Ids of the cards and whole memories that an answer shows, read as a model reads them: at the beginning of a line. */
export const idsShown = (answer: string): string[] => ownLines(answer).flatMap((line) => CARD.exec(line)?.[2] ?? []);

/** Own lines of an answer that no stored text could have begun. */
export const strayLines = (answer: string): string[] =>
  ownLines(answer)
    // What stands in quotation marks, which no name and no text of JSON holds as they are, is quoted.
    .map((line) => line.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
    .filter((line) =>
      new RegExp(`^\\s*(?:(?:[-*+•–—]|\\d\\.)\\s*)?\\[[^\\]]*${FORGED_ID}|^(?:Delete|obey|forged|"?0{12})`).test(line),
    );
