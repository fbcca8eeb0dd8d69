import { describe, expect, test } from "bun:test";
import { parseInstant, Uuid } from "../../../src/core/schema/common.ts";

describe("an instant", () => {
  test.each([
    ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.500Z"],
    ["2026-03-01T12:00:00,25Z", "2026-03-01T12:00:00.250Z"],
    ["2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00.123Z"],
    ["2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T12:00:00-0530", "2026-03-01T17:30:00.000Z"],
    ["2026-03-01 12:00:00 +02:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01t12:00:00z", "2026-03-01T12:00:00.000Z"],
    ["  2026-03-01T12:00:00Z ", "2026-03-01T12:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is %s", (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  test.each([
    ["without an offset is in UTC, wherever the server stands", "2026-07-01T12:00:00", "2026-07-01T12:00:00.000Z"],
    ["without a second", "2026-07-01 12:00", "2026-07-01T12:00:00.000Z"],
    ["without a time is midnight in UTC", "2026-07-01", "2026-07-01T00:00:00.000Z"],
  ])("%s", (_, text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  test.each([
    "",
    "yesterday",
    "2026",
    "2026-03",
    "03/01/2026",
    "1772366400",
    "2026-13-01",
    "2026-02-29",
    "2026-02-30T10:00:00Z",
    "2026-04-31",
    "2026-03-01T25:00",
    "2026-03-01T12:60",
    "2026-03-01T12:00:00+25:00",
    "0000-01-01",
    "0001-01-01T00:00:00+05:00",
    "9999-12-31T23:59:59-05:00",
    "12026-03-01",
    "2026-03-01T12:00:00Z; drop table memories",
  ])("'%s' is none", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test("read from its own wire form is itself", () => {
    const instant = "2026-03-01T12:34:56.789Z";
    expect(parseInstant(instant)).toBe(instant);
  });
});

test("a uuid may come in capitals and is lower-case from then on", () => {
  expect(Uuid.parse("0192ABCD-0000-7000-8000-00000000000A")).toBe("0192abcd-0000-7000-8000-00000000000a");
  for (const text of ["", "7", "0192abcd-0000-7000-8000-00000000000g"])
    expect(Uuid.safeParse(text).success).toBe(false);
});
