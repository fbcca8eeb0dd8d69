import type { Block, Heading, Said } from "./block.ts";

/** Words from which a heading with nothing below it is a statement. */
const STATEMENT_WORDS = 4;

/** The headings that a place in a text stands under. */
export function headingTrail() {
  let above: Heading[] = [];
  /** The last heading, while nothing stands below it. */
  let bare: Heading | null = null;

  const titles = (): string[] => above.map(({ title }) => title);
  /** A heading that nothing stands below, where it says something itself. */
  function* leave(): Generator<Block> {
    if (bare && bare.title.split(/\s+/).length >= STATEMENT_WORDS)
      yield { line: bare.line, headings: titles().slice(0, -1), under: [], text: bare.title, checked: null };
    bare = null;
  }

  return {
    *enter(heading: Heading): Generator<Block> {
      const goesDeeper = heading.depth > (above.at(-1)?.depth ?? 0);
      if (!goesDeeper) yield* leave();
      above = [...above.filter(({ depth }) => depth < heading.depth), heading];
      bare = heading.title === "" ? null : heading;
    },
    place(said: Said): Block {
      bare = null;
      return { ...said, headings: titles().filter((title) => title !== "") };
    },
    end: leave,
  };
}
