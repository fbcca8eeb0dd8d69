import { describe, expect, test } from "bun:test";
import { queryTimes } from "../../../src/search/temporal.ts";
import { readDates } from "../../../src/text/dates/read-dates.ts";
import { languageOf } from "../../../src/text/language.ts";
import SENTENCES from "./dates-by-language.json";

/** A Wednesday. */
const NOW = Date.parse("2026-03-18T12:00:00Z");

const day = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10);
const read = (text: string): string[] =>
  readDates(text, { reference: NOW }).map(({ relation, named }) => {
    const [first, last] = [day(named.start), day(named.end - 1)];
    return `${relation} ${first === last ? first : `${first}..${last}`}`;
  });

describe.each(Object.entries(SENTENCES))("%s:", (language, sentences) => {
  test.each(sentences.map(([text, expected]) => [String(text), expected] as const))("%s", (text, expected) => {
    expect(String(languageOf(text))).toBe(language);
    expect(read(text)).toEqual(Array.isArray(expected) ? expected : []);
  });
});

describe("a question means days that lie behind, unless it says otherwise:", () => {
  test.each([
    ["Was haben wir am Freitag beschlossen?", "2026-03-13"],
    ["Was ist für Freitag geplant?", "2026-03-20"],
    ["Qu'est-ce qui est prévu pour vendredi ?", "2026-03-20"],
    ["¿Qué pasó el 3 de mayo?", "2025-05-03"],
    ["Что было в пятницу?", "2026-03-13"],
    ["上周五发生了什么？", "2026-03-13"],
    ["昨日は何がありましたか？", "2026-03-17"],
  ])("%s", (question, expected) => {
    expect(queryTimes(question, NOW).map(({ window }) => day(window.start))).toEqual([expected]);
  });
});

test("long texts of almost-dates are read in time that does not grow with them", () => {
  const parts = [
    "1. ",
    "Mai ",
    "der 3. bis 4. ",
    "vor zwei ",
    "il y a deux ",
    "el 3 de ",
    "с 3 по ",
    "上个",
    "年5月",
    "から3月",
  ];
  const found = parts.map((part) =>
    readDates(`Der die das und ist nicht. ${part.repeat(10_000 / part.length)}`, { reference: NOW }),
  );
  expect(found).toHaveLength(parts.length);
});
