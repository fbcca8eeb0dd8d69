import { CLUE } from "../clues.ts";
import type { TimeWindow } from "./calendar.ts";
import { monthsWindow } from "./calendar.ts";
import { isAhead, isBack, turnOf } from "./relative.ts";
import type { DateMatch, DatePattern } from "./vocabulary.ts";
import { ANY_YEAR, fixed, PLAIN, wordsBefore, YEAR } from "./vocabulary.ts";

const pattern = (source: string): RegExp => new RegExp(source, "gi");

/** First month of a season in the northern half of the world. */
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const seasonOf = (name: string, year: number): TimeWindow => monthsWindow(year, SEASONS[name.toLowerCase()] ?? 0, 3);

function namedSeason(reference: number, word: string, name: string): TimeWindow | null {
  const year = new Date(reference).getUTCFullYear();
  const turns = [-2, -1, 0, 1].map((turn) => seasonOf(name, year + turn));
  if (isBack(word)) return turns.findLast(({ end }) => end <= reference) ?? null;
  if (isAhead(word)) return turns.find(({ start }) => start > reference) ?? null;
  return null;
}

const ORDER = ["first", "second", "third", "fourth"];
/** The year of "of 2025", "of last year", or null where none is named. */
function yearIn(reference: number, words: string | undefined): number | null {
  const named = /\d{4}/.exec(words ?? "");
  if (named) return Number(named[0]);
  const word = /(last|past|this|the|next|coming)\s+year/i.exec(words ?? "")?.[1];
  return word === undefined ? null : new Date(reference).getUTCFullYear() + turnOf(word);
}

/** Part `part` of `parts` of a year, named or told by the context. */
function partOfYear(reference: number, part: number, parts: number, year: number | null): DateMatch | null {
  const months = 12 / parts;
  const inYear = (y: number) => monthsWindow(y, (part - 1) * months, months);
  if (year !== null) return fixed(inYear(year));
  const own = new Date(reference).getUTCFullYear();
  return { repeats: "year", ...PLAIN, window: (turn) => inYear(own + turn) };
}

const OF_YEAR = `(?:\\s*(?:of|in|-|/)?\\s*(?:the\\s+year\\s+)?(${ANY_YEAR})\\b|\\s+of\\s+((?:last|this|the|next|past|coming)\\s+year)\\b)`;
/** Quarters, halves and seasons. */
export const PARTS_OF_YEAR: readonly DatePattern[] = [
  {
    needs: CLUE.part,
    regex: pattern(`\\bQ([1-4])(?:${OF_YEAR}|(?![\\w:)]|\\.\\d))|\\b(${YEAR})[\\s-]?Q([1-4])\\b`),
    read: ({ reference, match }) => {
      const [, part, year, words, yearFirst, partLast] = match;
      return partOfYear(reference, Number(part ?? partLast), 4, yearIn(reference, year ?? words ?? yearFirst));
    },
  },
  {
    needs: CLUE.part,
    regex: pattern(`\\bH([12])${OF_YEAR}|\\b(${YEAR})[\\s-]?H([12])\\b`),
    read: ({ reference, match }) => {
      const [, part, year, words, yearFirst, partLast] = match;
      return partOfYear(reference, Number(part ?? partLast), 2, yearIn(reference, year ?? words ?? yearFirst));
    },
  },
  {
    needs: CLUE.part,
    regex: pattern(`\\b(first|second|third|fourth|last)\\s+(quarter|half)${OF_YEAR}`),
    read: ({ reference, match }) => {
      const [, order = "", name, year, words] = match;
      const parts = name?.toLowerCase() === "half" ? 2 : 4;
      const part = order.toLowerCase() === "last" ? parts : ORDER.indexOf(order.toLowerCase()) + 1;
      return part > parts ? null : partOfYear(reference, part, parts, yearIn(reference, year ?? words));
    },
  },
  {
    needs: CLUE.season,
    regex: pattern(
      `\\b(?:(last|past|this|next|coming)\\s+)?(spring|summer|autumn|fall|winter)\\b(?:\\s+(?:of\\s+)?(${ANY_YEAR})\\b)?`,
    ),
    read: (context) => readSeason(context.reference, context.text, context.match),
  },
];

function readSeason(reference: number, text: string, match: RegExpExecArray): DateMatch | null {
  const [, word, name = "", year] = match;
  if (year !== undefined) return fixed(seasonOf(name, Number(year)));
  if (word !== undefined && !/^this$/i.test(word)) return fixed(namedSeason(reference, word, name));
  const isTime =
    word !== undefined || /(?:in|since|until|during|over|of)\s+(?:the\s+)?$/.test(wordsBefore(text, match.index));
  const isName =
    name === "fall" || /^[A-Z]/.test(name) || /^\s+[A-Z\d]|^-/.test(text.slice(match.index + match[0].length));
  if (!isTime || isName) return null;
  const own = new Date(reference).getUTCFullYear();
  return { repeats: "year", ...PLAIN, window: (turn) => seasonOf(name, own + turn) };
}
