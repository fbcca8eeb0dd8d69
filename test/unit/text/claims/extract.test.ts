import { describe, expect, test } from "bun:test";
import { extractClaims } from "../../../../src/text/claims/extract.ts";

/** A Wednesday. */
const REFERENCE_MS = Date.UTC(2025, 4, 7, 12);

const claimsOf = (text: string): string[] =>
  extractClaims(text, REFERENCE_MS).map(
    ({ subject, predicate, value, value_kind }) => `${subject} · ${predicate} · ${value} (${value_kind})`,
  );

const keysOf = (text: string): string[] =>
  extractClaims(text, REFERENCE_MS).map(({ subject_key, predicate }) => `${predicate} of ${subject_key}`);

describe("claims", () => {
  test.each([
    ["Anna lives in Oslo.", "Anna · located_in · Oslo (place)"],
    ["Anna moved to Bergen in March.", "Anna · located_in · Bergen (place)"],
    ["Ravi's manager is Mei.", "Ravi · manager · Mei (text)"],
    ["The manager of Ravi is Mei.", "Ravi · manager · Mei (text)"],
    ["The payments team is led by Aylin.", "payments team · led_by · Aylin (text)"],
    ["Kofi leads the payments team.", "payments team · led_by · Kofi (text)"],
    ["Harbour depot: 12 rooms", "Harbour depot · count_room · 12 (number)"],
    ["There are 9 cold rooms in the harbour depot.", "harbour depot · count_room · 9 (number)"],
    ["The staging DB runs Postgres 14.", "staging DB · version_postgr · 14 (version)"],
    ["The deadline for the grant is March 1.", "grant · deadline · March 1 (date)"],
    ["We raised the retry limit to 5.", "retry · limit · 5 (number)"],
    ["Telemetry is disabled by default.", "Telemetry · status · disabled (boolean)"],
    ["Rent went up to 1,240 euros a month.", "Rent · money · 1,240 euros a month (money)"],
    ["The team switched from Trello to Linear.", "team · uses · Linear (text)"],
    ["Elena is married and works at a bank.", "Elena · works_at · bank (text)"],
  ])("of '%s': %s", (text, claim) => expect(claimsOf(text)).toContain(claim));

  test.each([
    ["Anna lives in Oslo.", "Anna moved to Bergen."],
    ["Ravi's manager is Mei.", "The manager of Ravi is Johan."],
    ["Kofi leads the payments team.", "The payments team is led by Aylin."],
    ["Harbour depot: 12 rooms", "There are 9 cold rooms in the harbour depot."],
    ["The monthly rent is 1,150 euros.", "Rent went up to 1,240 euros a month."],
    ["The staging DB runs Postgres 14.", "The staging database was upgraded to Postgres 16."],
  ])("'%s' and '%s' are found by the same key", (one, other) => {
    const keys = new Set(keysOf(one));
    expect(keysOf(other).some((key) => keys.has(key))).toBe(true);
  });

  test("carry negation and modality", () => {
    expect(extractClaims("Anna does not live in Oslo.", REFERENCE_MS)[0]?.negated).toBe(true);
    expect(extractClaims("Anna will live in Oslo.", REFERENCE_MS)[0]?.modality).toBe("planned");
    expect(
      extractClaims("Jan thinks that Anna lives in Oslo.", REFERENCE_MS).every(
        ({ modality }) => modality === "reported",
      ),
    ).toBe(true);
  });

  test("several stand in one memory, each with its place", () => {
    const text = "Elif has two sisters. The older one lives in Izmir.";
    for (const { value, span } of extractClaims(text, REFERENCE_MS))
      expect(text.slice(span.start, span.end)).toBe(value);
    expect(claimsOf(text).length).toBeGreaterThan(1);
  });

  test("relative dates are told from the reference", () => {
    const [claim] = extractClaims("The launch is tomorrow.", REFERENCE_MS);
    expect(claim?.value_key).toBe("2025-05-08");
  });
});
