import { expect, test } from "bun:test";
import { significantWords } from "../../../src/memories/likeness/near-duplicate.ts";

test.each([
  ["The office in Oslo is open.", "An office in Oslo is open!"],
  ["“Oslo” is (also) open", "oslo open"],
  ["We have  deployed\nit, too.", "we deployed"],
])("'%s' tells what '%s' tells", (one, other) => {
  expect(significantWords(one)).toBe(significantWords(other));
});

test.each([
  ["It is open.", "It isn't open."],
  ["It is open.", "It isn’t open."],
  ["We do deploy.", "We don't deploy."],
  ["version 1.1", "version 1.1.1"],
  ["at 18:30", "at 18:45"],
  ["at -5 degrees", "at 5 degrees"],
  ["5% of it", "5 of it"],
  ["$5 a day", "€5 a day"],
  ["C is fast", "C++ is fast"],
  ["Ada calls Bob", "Bob calls Ada"],
  ["1 of 1", "1"],
  ["It is done?", "It is done."],
  ["issue #12", "issue #13"],
  ["tic tac tac", "tic tac"],
])("'%s' tells something else than '%s'", (one, other) => {
  expect(significantWords(one)).not.toBe(significantWords(other));
});
