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

describe("a count is read whole or not at all:", () => {
  test.each([
    "We hebben het systeem twintig jaar geleden gebouwd en het is nog niet klaar.",
    "De stad werd 1500 jaar geleden gebouwd.",
    "Het was 2,5 jaar geleden en niet nu.",
    "Het was honderd twee jaar geleden en niet nu.",
    "Het was twee of drie jaar geleden en niet nu.",
    "Мы построили это двадцать лет назад.",
    "Мы построили это много лет назад.",
    "Мы построили это двадцать один год назад.",
    "Это было 2,5 года назад.",
    "Это было 1 500 лет назад.",
    "Это было год и месяц назад.",
    "Це було сорок два роки тому.",
    "Це було багато років тому, що й казати.",
    "Lo construimos veinte años atrás y no está.",
    "Lo construimos treinta y dos años atrás y no está.",
    "Isso foi muitos anos atrás e não agora.",
    "Isso foi quarenta e dois anos atrás e não agora.",
    "我们四十年前就开始了。",
    "我们两百二十年前就开始了。",
    "サーバーは数十年前に作られました。",
  ])("%s", (text) => {
    expect(read(text)).toEqual([]);
  });

  test.each([
    ["Год назад мы переехали в Берлин.", "at 2025-02-10..2025-04-24"],
    ["Мы переехали неделю назад.", "at 2026-03-10..2026-03-12"],
    ["Це було місяць тому, що й казати.", "at 2026-02-15..2026-02-21"],
    ["Het was twee jaar geleden en niet nu.", "at 2024-01-05..2024-05-30"],
    ["Isso foi dois anos atrás e não agora.", "at 2024-01-05..2024-05-30"],
    ["Мы построили это 21 день назад.", "at 2026-02-25"],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual([expected]);
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
    "3, 4., ",
    "から3月",
  ];
  const found = parts.map((part) =>
    readDates(`Der die das und ist nicht. ${part.repeat(10_000 / part.length)}`, { reference: NOW }),
  );
  expect(found).toHaveLength(parts.length);
});
