import { expect, test } from "bun:test";
import { clashByValue } from "../../../src/conflicts/plain-values.ts";

const REFERENCE_MS = Date.UTC(2026, 2, 4, 9);
const isClash = (older: string, newer: string): boolean =>
  clashByValue(older, newer, [REFERENCE_MS, REFERENCE_MS]) !== null;

test.each([
  ["The staging database runs Postgres 14.", "The staging database runs Postgres 16."],
  ["port: 8080", "port: 9090"],
  ["The backup takes 90 minutes.", "The backup now takes two hours."],
  ["The fee is 30 euros a month.", "The fee is 45 euros a month."],
  ["The harbour office closes at 18:00 on weekdays.", "The harbour office closes at 21:00 on weekdays."],
])("the same words with another value clash: '%s', '%s'", (older, newer) => {
  const spans = clashByValue(older, newer, [REFERENCE_MS, REFERENCE_MS]);
  expect(spans).not.toBeNull();
  expect(older.slice(spans?.older.start, spans?.older.end)).toMatch(/\d/);
});

test.each([
  ["The backup takes 90 minutes.", "The backup takes an hour and a half."],
  ["The staging database runs Postgres 14.", "The production database runs Postgres 16 on other machines."],
  ["Room 4 seats 20.", "Room 5 seats 30."],
  ["Room 4 is closed.", "Room 5 is closed."],
  ["The region 4 database runs Postgres 14.", "The region 5 database runs Postgres 14."],
  ["Nadia prefers green tea.", "Nadia prefers black tea."],
  ["", ""],
])("nothing else does: '%s', '%s'", (older, newer) => expect(isClash(older, newer)).toBe(false));
