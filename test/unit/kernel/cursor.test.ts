import { expect, test } from "bun:test";
import { decodeCursor, encodeCursor } from "../../../src/core/kernel/cursor.ts";

const EDGE = { created_at: "2026-03-01T12:00:00.123Z", id: "01920000-0000-7000-8000-000000000000" };

test("a cursor leads back to its edge", () => {
  expect(decodeCursor(encodeCursor(EDGE))).toEqual(EDGE);
});

test("a cursor is the base64 that existing clients know", () => {
  expect(atob(encodeCursor(EDGE))).toBe(`${EDGE.created_at}:${EDGE.id}`);
});

test.each([
  "",
  "*",
  "AAAA",
  btoa(EDGE.id),
  btoa(`${EDGE.created_at}:`),
  btoa(`${EDGE.created_at}:not-an-id`),
  btoa(`2026-03-01:${EDGE.id}`),
  btoa(`${EDGE.created_at}:${EDGE.id} or 1=1`),
  `${encodeCursor(EDGE)}!`,
])("'%s' is no cursor", (text) => {
  expect(decodeCursor(text)).toBeNull();
});
