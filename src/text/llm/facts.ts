/** Text between backticks: a command, a name, a value. */
const CODE = /`([^`\n]+)`/g;
/** Numbers that only count the items of a list. */
const ITEM_NUMBER = /^[ \t]*\d{1,3}[.)][ \t]+/gm;
/** What stands around a word without being part of it. */
const EDGES = /^[^\p{L}\p{N}./~@#$-]+|[^\p{L}\p{N}/]+$/gu;
/** A digit, a character that joins names, a capital inside a word, a flag of a command, or the start of a path. */
const TELLING = /\p{N}|\p{L}[_@=/\\:.]+\p{L}|\p{Ll}\p{Lu}|^--?\p{L}|^(?:[~/@$]|\.\.?\/|\.)\p{L}/u;
/** `e.g.`, `i.e.`, `a.m.` */
const ABBREVIATION = /^(?:\p{L}\.)+\p{L}$/u;

/**
 * The parts of a text that must not change when it is put into other words: code, numbers, dates, addresses, paths,
 * identifiers, flags.
 */
export function factsOf(text: string): string[] {
  const listless = text.replace(ITEM_NUMBER, "");
  const code = [...listless.matchAll(CODE)].map(([, inner = ""]) => plain(inner));
  const words = plain(listless.replace(CODE, " "))
    .split(" ")
    .map((word) => word.replace(EDGES, ""));
  return [...new Set([...code, ...words.filter(isTelling)])].filter((fact) => fact !== "");
}

const isTelling = (word: string): boolean => TELLING.test(word) && !ABBREVIATION.test(word);

/** The facts of one text that another does not have word for word. */
export function factsMissing(from: string, within: string): string[] {
  const text = plain(within);
  return factsOf(from).filter((fact) => !hasWhole(text, fact));
}

const plain = (text: string): string => text.replaceAll("`", "").replace(/\s+/g, " ").trim();

/** Whether the fact stands there on its own: `5` is neither in `15` nor in `1.5`. */
function hasWhole(text: string, fact: string): boolean {
  for (let index = text.indexOf(fact); index >= 0; index = text.indexOf(fact, index + 1)) {
    const end = index + fact.length;
    if (
      !GOES_ON_BEFORE.test(text.slice(Math.max(0, index - 2), index)) &&
      !GOES_ON_AFTER.test(text.slice(end, end + 2))
    )
      return true;
  }
  return false;
}
const GOES_ON_BEFORE = /[\p{L}\p{N}_]$|[\p{L}\p{N}][.,/:@=-]$/u;
const GOES_ON_AFTER = /^[\p{L}\p{N}_]|^[.,/:@=-][\p{L}\p{N}]/u;
