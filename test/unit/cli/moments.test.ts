import { expect, test } from "bun:test";
import { momentOf, readMoment } from "../../../src/cli/moments.ts";

/** A Sunday. */
const NOW = new Date(2026, 10, 29, 12, 30).getTime();
/** Days of the clock of this machine, first and last. */
const days = (text: string): string | null => {
  const said = readMoment(text, NOW);
  if (said === null) return null;
  const [first, last] = [said.start, said.end - 1].map((at) => {
    const date = new Date(at);
    return [date.getFullYear(), date.getMonth() + 1, date.getDate()].join("-");
  });
  return first === last ? `${first}` : `${first}..${last}`;
};

test.each([
  ["2026-03-01", "2026-3-1"],
  ["2026-03", "2026-3-1..2026-3-31"],
  ["today", "2026-11-29"],
  ["Yesterday", "2026-11-28"],
  ["the day before yesterday", "2026-11-27"],
  ["3 days ago", "2026-11-26"],
  ["a week ago", "2026-11-22"],
  ["two months ago", "2026-9-29"],
  ["in 3 days", "2026-12-2"],
  ["last week", "2026-11-16..2026-11-22"],
  ["this month", "2026-11-1..2026-11-30"],
  ["last year", "2025-1-1..2025-12-31"],
  ["last Friday", "2026-11-27"],
  ["next friday", "2026-12-4"],
])("'%s' is the days %s", (text, expected) => {
  expect(days(text)).toBe(expected);
});

test("hours and minutes are counted from now, and a moment without an offset is one of the machine's clock", () => {
  expect(readMoment("2 hours ago", NOW)?.start).toBe(NOW - 7_200_000);
  expect(readMoment("30 minutes ago", NOW)?.start).toBe(NOW - 1_800_000);
  expect(readMoment("2026-03-01T09:00", NOW)?.start).toBe(new Date(2026, 2, 1, 9).getTime());
  expect(readMoment("2026-03-01T09:00Z", NOW)?.start).toBe(Date.parse("2026-03-01T09:00:00Z"));
});

test.each(["2026-02-30", "2026-13-01", "-5", "5", "", "soon", "March", "99999 years ago", "2026-02-30T09:00Z"])(
  "'%s' is refused, with the forms that a flag takes",
  (text) => {
    expect(() => momentOf("--as-of", text, "last")).toThrow(/^--as-of is a day such as 2026-03-01, .*'3 days ago'/);
  },
);

test("a day is taken from its first moment on, up to its last, or as a whole", () => {
  const [first, last, behind] = (["first", "last", "behind"] as const).map((edge) =>
    Date.parse(momentOf("--after", "2026-03-31", edge) ?? ""),
  );
  expect(first).toBe(new Date(2026, 2, 31).getTime());
  expect(last).toBe(new Date(2026, 3, 1).getTime() - 1);
  expect(behind).toBe(new Date(2026, 3, 1).getTime());
});
