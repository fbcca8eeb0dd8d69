import { expect, test } from "bun:test";
import { mapCooperatively } from "../../../src/core/kernel/event-loop.ts";
import { hold, turnsDuring } from "../../support/event-loop.ts";

test("requests have their turn while long work goes on, piece by piece", async () => {
  const pieces = Array.from({ length: 20 }, (_, i) => i);
  const work = async () => {
    const doubled = await mapCooperatively(pieces, (piece) => {
      hold(3);
      return piece * 2;
    });
    expect(doubled).toEqual(pieces.map((piece) => piece * 2));
  };
  expect(await turnsDuring(work)).toBeGreaterThan(3);
});
