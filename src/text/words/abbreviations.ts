/** Words that people write for each other, one line each. */
const GROUPS: readonly (readonly string[])[] = `
  admin administrator
  app application
  auth authentication authorization
  config configuration
  db database
  dev development
  dir directory
  doc documentation
  env environment
  infra infrastructure
  k8s kubernetes
  lib library
  msg message
  param parameter
  perf performance
  pkg package
  prod production
  pwd password
  repo repository
  ui interface`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(" "));

const EQUALS: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)] as const)),
);

/** What a word is also written as, short or in full; the index finds other endings by their stems. */
export const equalsOf = (word: string): readonly string[] =>
  EQUALS.get(word) ?? EQUALS.get(word.replace(/s$/, "")) ?? [];
