/** How deep quotes and lists may lie in one another: beyond, what reads Markdown takes time without end. */
export const NESTING_MAX = 32;

/** A marker of a quote or of an item, with the space before it. */
const MARKER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

/** The first line, from 1, in which quotes and lists are nested deeper than any may be; null where none is. */
export function tooDeepLine(markdown: string): number | null {
  /** Where the items begin that a line may lie in. */
  let open: number[] = [];
  for (const [i, line] of markdown.split("\n").entries()) {
    const markers = markersOf(line);
    const [first] = markers;
    if (first !== undefined) open = [...open.filter((column) => column < first).slice(-NESTING_MAX), ...markers];
    if (open.length > NESTING_MAX) return i + 1;
  }
  return null;
}

/** The columns of the markers that a line begins with, as many as matter. A rule of dashes or stars is none of them. */
function markersOf(line: string): number[] {
  const markers: number[] = [];
  MARKER.lastIndex = 0;
  for (let found = MARKER.exec(line); found && markers.length <= NESTING_MAX; found = MARKER.exec(line))
    markers.push(MARKER.lastIndex);
  return RULE.test(line) ? [] : markers;
}

const RULE = /^[ \t]*(?:[-*_][ \t]*){3,}$/;
