/** English words that carry no subject of their own: questions are full of them, and so is every row. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can could couldn d did didn do does doesn doing don done down during each else ever few for from further
  had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself
  just let ll m many may me might more most much must my myself no nor not now of off on once only or other our ours
  ourselves out over own re s same shall she should shouldn so some such t than that the their theirs them themselves
  then there these they this those through to too under until up upon us ve very was wasn we were weren what when where
  whether which while who whom whose why will with won would wouldn yes you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

/** The distinct words of a lower-case text, split as FTS5's unicode61 splits it. */
export const termsOf = (lower: string): string[] => [...new Set(lower.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [])];
