import type { Route } from "./route-table.ts";

/** Every way to write `.` and `..` in an address. */
const DOTS = [".", "%2e", "%2E"];
const SPELLINGS = [...DOTS, ...DOTS.flatMap((first) => DOTS.map((second) => first + second))];

/** Segments that may stand before one of them where no route begins so; the longest documented address has six. */
const DEPTH_MAX = 8;

export type Answers<H> = Record<string, H | Partial<Record<Route["method"], H>>>;

/**
 * Addresses with a segment `.` or `..`, for the table of the transport: it looks at what was sent, and only then resolves
 * it to an address that its sender may never have meant. There a fixed word goes before a parameter, but any route of a
 * method before those for all methods: so each parameter of a route has words for these beside it, under its own method.
 */
export function dottedAddresses<H>(routes: readonly Pick<Route, "path" | "method">[], refuse: H): Answers<H> {
  const answers: Answers<H> = {};
  for (let depth = 0; depth <= DEPTH_MAX; depth++) {
    for (const address of dottedUnder(inWords(Array.from({ length: depth }, () => "{any}")))) answers[address] = refuse;
  }
  for (const { path, method } of routes) {
    for (const before of beforeParams(path)) {
      for (const address of dottedUnder(before)) answers[address] = { ...answers[address], [method]: refuse };
    }
  }
  return answers;
}

const dottedUnder = (before: string): string[] =>
  SPELLINGS.flatMap((dots) => [`${before}/${dots}`, `${before}/${dots}/*`]);

const isParam = (segment: string): boolean => segment.startsWith("{");

/** An address as the transport writes it; there, no two parameters have one name. */
const inWords = (segments: readonly string[]): string =>
  segments.map((segment, i) => (isParam(segment) ? `/:at${i}` : `/${segment}`)).join("");

/** What stands before each parameter of a path. */
function beforeParams(path: string): string[] {
  const segments = path.split("/").slice(1);
  return segments.flatMap((segment, i) => (isParam(segment) ? [inWords(segments.slice(0, i))] : []));
}
