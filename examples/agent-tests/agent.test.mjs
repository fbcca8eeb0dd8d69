import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startCairn } from "cairn-testing";
import { ask, correct, tell } from "./agent.mjs";

const INVOICES = "Invoices are sent on the first of the month.";
const STAGING = "The staging database is reset every night at two.";

// One instance for this file; each test finds the seed as it was, whatever the tests before it did.
const cairn = await startCairn({ seed: [INVOICES, STAGING] });
after(cairn.stop);

const count = async () => (await cairn.call("GET", "/api/v1/memories/count")).count;

test(
  "what is known is answered in other words",
  cairn.test(async ({ url }) => {
    assert.equal(await ask(url, "when is staging wiped?"), STAGING);
  }),
);

test(
  "a correction takes the place of what was known",
  cairn.test(async ({ url }) => {
    await correct(url, "when are invoices sent?", "Invoices are sent on the fifth of the month.");
    assert.match(await ask(url, "when are invoices sent?"), /the fifth/);
  }),
);

test(
  "what is new is kept beside it",
  cairn.test(async ({ url }) => {
    // What the test before has corrected is as it was.
    assert.equal(await ask(url, "when are invoices sent?"), INVOICES);
    await tell(url, "The office dog is called Bolt.");
    assert.equal(await count(), 3);
  }),
);
