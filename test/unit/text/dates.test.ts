import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readDates } from "../../../src/text/dates/read-dates.ts";

/** A Wednesday. */
const NOW = Date.parse("2026-03-18T12:00:00Z");

const day = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10);
/** The last day of a window, as people write it. */
const lastDay = (end: number): string => day(end - 1);
/** "relation first..last" of every date in a text. */
const read = (text: string, reference = NOW): string[] =>
  readDates(text, { reference }).map(({ relation, named }) => {
    const [first, last] = [day(named.start), lastDay(named.end)];
    return `${relation} ${first === last ? first : `${first}..${last}`}`;
  });

describe("a day is read", () => {
  test.each([
    ["Signed on 2024-05-03.", "at 2024-05-03"],
    ["The build of 2024/5/3 was green.", "at 2024-05-03"],
    ["Rechnung vom 03.05.2024 bezahlt.", "at 2024-05-03"],
    ["Delivered 25/12/2023 by courier.", "at 2023-12-25"],
    ["Delivered 12/25/2023 by courier.", "at 2023-12-25"],
    ["We met on 3 May 2024.", "at 2024-05-03"],
    ["We met on the 3rd of May, 2024.", "at 2024-05-03"],
    ["We met on May 3rd, 2024.", "at 2024-05-03"],
    ["Sept. 5, 2023 was hot.", "at 2023-09-05"],
    ["It was the 21 Dec release.", "at 2025-12-21"],
    ["Leap day 29 February 2024 counts.", "at 2024-02-29"],
  ])("from '%s'", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  test("with its time, when the text gives one", () => {
    const [found] = readDates("Down since 2024-05-03T10:30:00+02:00.", { reference: NOW });
    expect(new Date(found?.named.start ?? 0).toISOString()).toBe("2024-05-03T08:30:00.000Z");
  });

  test.each(["30 February 2024", "2023-02-29 is none", "31.04.2024"])("but not from '%s', which is none", (text) => {
    expect(read(text).filter((found) => !found.includes(".."))).toEqual([]);
  });

  test("not where nobody can tell day from month, unless both are the same", () => {
    expect(read("Due 03/04/2025.")).toEqual([]);
    expect(read("Seen 05/05/2025.")).toEqual(["at 2025-05-05"]);
  });
});

describe("a stretch is read", () => {
  test.each([
    ["In March 2024 we moved.", "at 2024-03-01..2024-03-31"],
    ["the plan for 2024-03", "at 2024-03-01..2024-03-31"],
    ["Week 2026-W12 is a sprint.", "at 2026-03-16..2026-03-22"],
    ["Revenue in Q3 2026 was flat.", "at 2026-07-01..2026-09-30"],
    ["the third quarter of 2025", "at 2025-07-01..2025-09-30"],
    ["2025-Q1 figures", "at 2025-01-01..2025-03-31"],
    ["H2 2025 was slow", "at 2025-07-01..2025-12-31"],
    ["In the first half of 2025 we hired ten.", "at 2025-01-01..2025-06-30"],
    ["second half of last year", "at 2025-07-01..2025-12-31"],
    ["Anna joined in 2019.", "at 2019-01-01..2019-12-31"],
    ["in the summer of 2023", "at 2023-06-01..2023-08-31"],
    ["back in the 1990s", "at 1990-01-01..1999-12-31"],
    ["by the end of June 2026", "until 2026-06-21..2026-06-30"],
    ["early April 2026", "at 2026-04-01..2026-04-10"],
    ["mid-July 2026", "at 2026-07-11..2026-07-21"],
  ])("from '%s'", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

describe("a date that hinges on the moment of writing is read", () => {
  test.each([
    ["I saw her yesterday.", "at 2026-03-17"],
    ["the day before yesterday", "at 2026-03-16"],
    ["Ship it tomorrow!", "at 2026-03-19"],
    ["Last night the disk filled up.", "at 2026-03-17"],
    ["this morning's standup", "at 2026-03-18"],
    ["We met two weeks ago in Lyon.", "at 2026-03-03..2026-03-05"],
    ["a couple of days ago", "at 2026-03-16"],
    ["3 days ago", "at 2026-03-15"],
    ["It happened a month ago.", "at 2026-02-15..2026-02-21"],
    ["We ship in two weeks.", "at 2026-03-31..2026-04-02"],
    ["ten days from now", "at 2026-03-28"],
    ["last week", "at 2026-03-09..2026-03-15"],
    ["next month", "at 2026-04-01..2026-04-30"],
    ["this quarter", "at 2026-01-01..2026-03-31"],
    ["last year", "at 2025-01-01..2025-12-31"],
    ["this weekend", "at 2026-03-21..2026-03-22"],
    ["in the past three days", "at 2026-03-15..2026-03-18"],
    ["over the last 2 months", "at 2026-01-18..2026-03-18"],
    ["Launch is next Friday.", "at 2026-03-27"],
    ["last Friday", "at 2026-03-13"],
    ["this Friday", "at 2026-03-20"],
    ["the coming Monday", "at 2026-03-23"],
    ["Friday last week", "at 2026-03-13"],
    ["last March", "at 2025-03-01..2025-03-31"],
    ["next January", "at 2027-01-01..2027-01-31"],
    ["last summer", "at 2025-06-01..2025-08-31"],
    ["on the 7th of next month", "at 2026-04-07"],
  ])("from '%s'", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

describe("which of several dates is meant follows the sentence:", () => {
  test.each([
    ["We met on Monday.", "at 2026-03-16"],
    ["We will meet on Monday.", "at 2026-03-23"],
    ["They moved out in May.", "at 2025-05-01..2025-05-31"],
    ["They will move out in May.", "at 2026-05-01..2026-05-31"],
    ["The audit is due on 3 April.", "until 2026-04-03"],
    ["The audit began on 3 April.", "at 2025-04-03"],
    ["She left on the 7th.", "at 2026-03-07"],
    ["She will leave on the 7th.", "at 2026-04-07"],
    ["The office has been closed since December.", "since 2025-12-01..2025-12-31"],
    ["Q3 will be hard.", "at 2026-07-01..2026-09-30"],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

describe("how the text stands to a date is read", () => {
  test.each([
    ["Since March 2025 we use Postgres.", "since 2025-03-01..2025-03-31"],
    ["Starting on 1 April 2026 the price rises.", "since 2026-04-01"],
    ["From 1 April 2026 onwards, the price rises.", "since 2026-04-01"],
    ["Feature freeze lasts until June 2026.", "until 2026-06-01..2026-06-30"],
    ["Send it by Friday.", "until 2026-03-20"],
    ["The certificate expires on 5 June 2026.", "until 2026-06-05"],
    ["Before 2020 we had no tests.", "before 2020-01-01..2020-12-31"],
    ["After 5 May 2025 nobody called.", "after 2025-05-05"],
    ["From 3 to 7 May 2026 the lab is closed.", "range 2026-05-03..2026-05-07"],
    ["closed May 3-7, 2026", "range 2026-05-03..2026-05-07"],
    ["between 3 and 7 May 2025", "range 2025-05-03..2025-05-07"],
    ["from Nov 16, 2023 to Feb 15, 2024", "range 2023-11-16..2024-02-15"],
    ["Nov 16 - Feb 15, 2024", "range 2023-11-16..2024-02-15"],
    ["2024-05-03 to 2024-05-07", "range 2024-05-03..2024-05-07"],
    ["Priya will be on leave from August to December.", "range 2026-08-01..2026-12-31"],
    ["Anna led the team from 2019 to 2021.", "range 2019-01-01..2021-12-31"],
    ["I will be away from Monday to Wednesday.", "range 2026-03-23..2026-03-25"],
    ["two weeks before August 12, 2023", "range 2023-07-29..2023-08-12"],
    ["the Saturday after October 21, 2023", "range 2023-10-21..2023-10-28"],
  ])("in '%s'", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  test("what was moved from one date to another is on the other", () => {
    expect(read("The meeting was moved from Tuesday to Thursday.")).toEqual(["at 2026-03-19"]);
  });

  test("two dates of one text are two", () => {
    expect(read("Anna joined in 2019 and left on 3 May 2023.")).toEqual(["at 2019-01-01..2019-12-31", "at 2023-05-03"]);
  });
});

describe("no date is read where there is none:", () => {
  test.each([
    "Version 2.10.3 replaces 2.9.",
    "Release v2024.05.03 is out.",
    "It costs 12.50 a month, or $2024 in all.",
    "The call is at 10:30, not 9:15.",
    "Ticket 2024-1234 and order 20260318 are open.",
    "ERR-2024-05-03-77 in the log.",
    "IP 10.12.2024.1 is blocked.",
    "You may use the second option.",
    "This may break the build.",
    "They march to the beat of a drum.",
    "March on, said the general.",
    "The sun was out and I sat there.",
    "Mar and Jan are colleagues.",
    "April said that June likes May.",
    "We increased the limit to 2000 requests.",
    "Growth slowed by 2000 units.",
    "A total of 2000.",
    "Deploys go out every Tuesday.",
    "Open Monday to Friday, 9 to 5.",
    "Backups run on Sundays.",
    "He finished it in two days.",
    "The warranty lasts 3 years.",
    "the second half of the game",
    "Spring Boot and the fall of Rome.",
    "In the second row sat a week-old cat.",
    "The candidate explained the committee's decision on mustard.",
    "on the 7th floor",
    "Room 2012 is taken.",
    "Call 555-2024-1999.",
    "There are 365 days in a year.",
    "maybe, decidedly, augmented, junction, marching",
    "Q2: what is your name?",
  ])("%s", (text) => {
    expect(read(text)).toEqual([]);
  });
});

test("numbers of people beside a month leave the month", () => {
  expect(read("In June 2025, 30 people came, and in July 12 customers left.")).toEqual([
    "at 2025-06-01..2025-06-30",
    "at 2025-07-01..2025-07-31",
  ]);
});

test("years before 1970 and after 2100 are no dates", () => {
  expect(read("In 1969 and in 2101, and on 3 May 1850.").filter((found) => !found.includes("-05-"))).toEqual([]);
});

test("any text is read without harm: windows are never empty, stand in order, and lie in the years that count", () => {
  const words = fc.constantFrom(
    ..."on in at by since until from to between and the last next this past 3 7th 12 31 2024 2026-03-18 30.02.2024 May march Monday sat Q3 H1 weeks ago days two before after end of early summer , . ? - : /".split(
      " ",
    ),
  );
  const texts = fc.oneof(
    fc.array(words, { maxLength: 14 }).map((all) => all.join(" ")),
    fc.string({ unit: "binary-ascii" }),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: Date.UTC(2090, 0) }), (text, reference) => {
      let from = 0;
      for (const { span, named } of readDates(text, { reference })) {
        expect(named.end).toBeGreaterThan(named.start);
        expect(named.start).toBeGreaterThanOrEqual(0);
        expect(named.end).toBeLessThanOrEqual(Date.UTC(2101, 0));
        expect(span.start).toBeGreaterThanOrEqual(from);
        expect(span.end).toBeLessThanOrEqual(text.length);
        from = span.end;
      }
    }),
    { numRuns: 300 },
  );
});

test("a day written in any of the usual ways is the same day, whatever the moment of writing", () => {
  const date = fc.date({ min: new Date("1970-01-02"), max: new Date("2100-12-30"), noInvalidDate: true });
  const names = "January February March April May June July August September October November December".split(" ");
  fc.assert(
    fc.property(date, date, (at, reference) => {
      const [y, m, d] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
      const iso = at.toISOString().slice(0, 10);
      const ways = [iso, `${d} ${names[m]} ${y}`, `${names[m]} ${d}, ${y}`, `${d}.${m + 1}.${y}`];
      for (const way of ways) expect(read(`It was on ${way}.`, reference.getTime())).toEqual([`at ${iso}`]);
    }),
  );
});

describe("a time that is told from now", () => {
  /** A span of some length, ending now or so. */
  const days = (text: string): string[] =>
    readDates(text, { reference: NOW }).map(({ named }) => `${day(named.start)}..${lastDay(named.end)}`);

  test.each([
    ["It broke three days ago.", "three days ago", "It broke 3 days ago."],
    ["It broke a few days ago.", "a few days are three", "It broke 3 days ago."],
    ["It broke A FEW Days Ago.", "capitals say the same", "It broke 3 days ago."],
    ["It broke several weeks ago.", "several are four", "It broke 4 weeks ago."],
    ["It broke half a year ago.", "half a year is six months", "It broke 6 months ago."],
    ["It broke a couple of weeks ago.", "a couple is two", "It broke 2 weeks ago."],
  ])("%p: %s", (text, _, same) => {
    expect(days(text)).toHaveLength(1);
    expect(days(text)).toEqual(days(same));
  });

  test("by hours is another time than by days", () => {
    const at = (text: string) => readDates(text, { reference: NOW }).map(({ named }) => NOW - named.start);
    const [hours = 0] = at("It broke 30 hours ago.");
    const [far = 0] = at("It broke 30 days ago.");
    expect(hours).toBeGreaterThan(0);
    expect(hours).toBeLessThan(far / 10);
  });

  test("on a last weekday is the one most lately gone by, whichever it is", () => {
    // The reference is a Wednesday.
    for (const [name, expected] of [
      ["Monday", "2026-03-16"],
      ["Tuesday", "2026-03-17"],
      ["Wednesday", "2026-03-11"],
      ["Friday", "2026-03-13"],
    ] as const)
      expect([name, days(`It broke last ${name}.`)]).toEqual([name, [`${expected}..${expected}`]]);
  });

  test.each(["every Tuesday", "each Tuesday", "most Tuesdays"])("%s is no day", (words) => {
    expect(days(`We deploy ${words}.`)).toEqual([]);
  });
});

describe("a month with a year that is no date's is none of this year:", () => {
  test.each([
    "He was born on 12 March 1965.",
    "He was born on March 12, 1965.",
    "He was born in March 1965.",
    "He moved to Berlin in the summer of 1965 with his family.",
    "The war ran from 3 to 7 May 1945.",
    "The lease runs until 31 December 2150.",
    "The router runs firmware 3.5.2024 now.",
  ])("%s", (text) => {
    expect(read(text)).toEqual([]);
  });

  test("but people that are counted behind it are no year", () => {
    expect(read("On 12 March 1700 visitors came.")).toEqual(["at 2026-03-12"]);
  });
});
