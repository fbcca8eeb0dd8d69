/**
 * Letters of the scripts that put no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese. Korean does, but
 * writes what English says with "of" and "to" onto the word itself.
 */
const LETTER =
  "[[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー]&&[\\p{L}\\p{Nl}]]";
const RUN = new RegExp(`(?:${LETTER}\\p{M}*)+`, "gv");
const PIECE = new RegExp(`^${LETTER}`, "v");
/** A letter with its marks. */
const UNIT = /\P{M}\p{M}*/gu;

const unitsOf = (run: string): string[] => run.match(UNIT) ?? [];

/** Whether a text is written without spaces, as far as its first letter tells. */
export const isUnspaced = (text: string): boolean => PIECE.test(text);

/** Whether a piece is one letter alone, which begins every piece of a row that has it. */
export const isOneLetter = (piece: string): boolean => isUnspaced(piece) && unitsOf(piece).length === 1;

/** A question in pieces: each run of letters without spaces becomes every two neighbours in it; one letter stays alone. */
export const ngramsToFind = (text: string): string => text.replace(RUN, (run) => ` ${neighbours(unitsOf(run))} `);

/** A row in the same pieces, and the last letter of each run once more alone, so that each letter begins a piece. */
export const ngramsToIndex = (text: string): string =>
  text.replace(RUN, (run) => {
    const units = unitsOf(run);
    return units.length === 1 ? ` ${run} ` : ` ${neighbours(units)} ${units.at(-1)} `;
  });

const neighbours = (units: readonly string[]): string =>
  units.length === 1
    ? units.join("")
    : units
        .slice(1)
        .map((unit, i) => `${units[i]}${unit}`)
        .join(" ");

/** Letters of a name that is looked for among others, at least and at most. */
const NAME_LETTERS_MIN = 2;
const NAME_LETTERS_MAX = 8;

/** What may be a name of its own within a word: letters without spaces that stand together, and what stands beside them. */
export function namesWithin(word: string): string[] {
  const runs = word.match(RUN) ?? [];
  if (runs.length === 0) return [];
  const beside = word.split(RUN).filter((part) => part !== "");
  return [...beside, ...runs.flatMap((run) => partsOf(unitsOf(run)))];
}

const partsOf = (units: readonly string[]): string[] =>
  units.flatMap((_, from) =>
    Array.from({ length: NAME_LETTERS_MAX - NAME_LETTERS_MIN + 1 }, (_, more) => from + NAME_LETTERS_MIN + more)
      .filter((to) => to <= units.length)
      .map((to) => units.slice(from, to).join("")),
  );
