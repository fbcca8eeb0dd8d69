import { expect, test } from "bun:test";
import fc from "fast-check";
import { certaintyOf, POSSIBLE_MIN, partsOf, RETIRED_MIN, USUAL } from "../../../src/conflicts/decision.ts";
import type { PairSignal, PairSignals } from "../../../src/conflicts/signals.ts";
import { PAIR_SIGNALS } from "../../../src/conflicts/signals.ts";

const logOdds = fc.double({ min: -11.6, max: 11.6, noNaN: true });
const nearness = fc.double({ min: -1, max: 1, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const length = fc.double({ min: 0, max: 3.5, noNaN: true });
const whether = fc.constantFrom(0, 1);
/** Any signals that a pair may have. */
const signals: fc.Arbitrary<PairSignals> = fc.record({
  clash: logOdds,
  replaced: logOdds,
  nearness,
  older_words: share,
  newer_words: share,
  other_value: whether,
  same_value: whether,
  older_length: length,
  newer_length: length,
});

test("what the signals add, and what is added to all of them, are the log-odds of the certainty", () => {
  fc.assert(
    fc.property(signals, (found) => {
      const parts = partsOf(found);
      expect(Object.keys(parts).sort()).toEqual([...PAIR_SIGNALS].sort());
      const sum = PAIR_SIGNALS.reduce((all, name) => all + parts[name], USUAL);
      const certainty = certaintyOf(found);
      expect(Math.log(certainty / (1 - certainty))).toBeCloseTo(sum, 4);
    }),
  );
});

test("a certainty lies between 0 and 1", () => {
  fc.assert(
    fc.property(signals, (found) => {
      expect(certaintyOf(found)).toBeGreaterThan(0);
      expect(certaintyOf(found)).toBeLessThan(1);
    }),
  );
});

const UNDECIDED: PairSignals = {
  clash: 0,
  replaced: 0,
  nearness: 0.5,
  older_words: 0.5,
  newer_words: 0.5,
  other_value: 0,
  same_value: 0,
  older_length: 2,
  newer_length: 2,
};

// What speaks for a clash by its meaning must not count against one, whatever is fitted.
test.each<PairSignal>(["clash", "replaced", "nearness", "older_words", "other_value"])(
  "more of '%s' never makes a pair less certain",
  (name) => {
    expect(certaintyOf({ ...UNDECIDED, [name]: UNDECIDED[name] + 1 })).toBeGreaterThan(certaintyOf(UNDECIDED));
    fc.assert(
      fc.property(signals, fc.double({ min: 0, max: 10, noNaN: true }), (found, more) => {
        expect(certaintyOf({ ...found, [name]: found[name] + more })).toBeGreaterThanOrEqual(certaintyOf(found));
      }),
    );
  },
);

test("the same value in both texts makes a pair less certain", () => {
  expect(certaintyOf({ ...UNDECIDED, same_value: 1 })).toBeLessThan(certaintyOf(UNDECIDED));
});

test("what may have changed takes less certainty than what is retired", () => {
  expect(POSSIBLE_MIN).toBeGreaterThan(0);
  expect(POSSIBLE_MIN).toBeLessThan(RETIRED_MIN);
  expect(RETIRED_MIN).toBeLessThan(1);
});
