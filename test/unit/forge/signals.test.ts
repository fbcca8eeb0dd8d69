import { expect, test } from "bun:test";
import type { SignalRow, TraceLabel } from "../../../src/forge/signals.ts";
import { judgeRun, SIGNAL_WEIGHTS } from "../../../src/forge/signals.ts";

const row = (content: string, fields: Partial<SignalRow> = {}): SignalRow => ({
  content,
  status: "active",
  contradicted_by: null,
  outcome: null,
  ...fields,
});
const labelOf = (...texts: readonly string[]): TraceLabel => judgeRun(texts.map((text) => row(text))).label;

/** How a run ended, by its last words. */
const ENDINGS: Readonly<Record<TraceLabel, readonly string[]>> = {
  success: [
    "Deployed to production and verified with curl.",
    "All tests pass, merged.",
    "Ticket closed.",
    "The build is green again.",
    "The migration went through.",
    "Signed off by the security team.",
    "The login error is fixed.",
    "The test is no longer failing.",
    "It does not crash any more.",
    "Failed at first, then fixed.",
    "The first attempt failed; the second try is done now.",
    "Fixed after two failed attempts.",
    "Although the first deploy crashed, the second one works.",
    "Could not log in until I cleared the cache; verified since.",
    "Fixed the failing test.",
    "Resolved the timeout that had blocked the queue.",
    "Repaired the broken replica, replication is back to normal.",
    "Rolled back to 4.1, the shop is up and running.",
    "Nothing failed this time, shipped.",
    "Merged the fix for the crashed worker.",
    "After the failed attempt yesterday, the rollout completed.",
    "The timeout is gone.",
    "Prefixed the unfixed keys. Done.",
    "Build passed all checks.",
    "Deployed; it should be faster now.",
  ],
  failure: [
    "Blocked: the customer has to send bank details first.",
    "Gave up for tonight.",
    "The deploy timed out.",
    "Not fixed yet.",
    "It is still not working.",
    "Tests are not passing.",
    "The bug isn't resolved.",
    "Fixed one place, but the job still fails.",
    "Deployed, but it crashed within a minute.",
    "Unable to get the change approved.",
    "Failed to get the fix merged.",
    "Could not reach the host.",
    "Reverted the change. Ticket closed.",
    "Rolled back and closed the ticket.",
    "The merged change was reverted.",
    "The refund was declined. Case closed.",
    "Never got it approved.",
    "The backup is incomplete.",
    "The alert is unresolved.",
    "No luck with the second host either.",
    "It stopped working after the update.",
    "It works no longer.",
    "The job ran out of memory.",
    "The release failed verification.",
    "Tests have yet to pass.",
    "Done with the first half, stuck on the second.",
    "It can\u2019t be deployed without the key.",
  ],
  unknown: [
    "Talked with the team about next year.",
    "It will be deployed on Monday.",
    "This should be fixed by the next release.",
    "Is it fixed?",
    "If the tests pass, we ship.",
    "Waiting to be approved.",
    "Once merged, tell the customer.",
    "The abandonware list and the candidate blockade.",
    "The failing tests are listed in the wiki.",
    "Trying to get it merged.",
  ],
};

for (const [label, texts] of Object.entries(ENDINGS)) {
  for (const text of texts) {
    test(`${label}: ${text}`, () =>
      expect(labelOf("Looked at the queue this morning.", text)).toBe(label as TraceLabel));
  }
}

test("an ending that only an earlier row tells counts, and counts less", () => {
  const late = judgeRun([row("Deployed the service.")]);
  const early = judgeRun([row("Deployed the service."), row("Wrote a note for the standup.")]);
  expect([late.label, early.label]).toEqual(["success", "success"]);
  expect(early.success).toBeLessThan(late.success);
  const chat = row("Had a look at the calendar.");
  expect(judgeRun([row("Deployed the service."), chat, chat, chat]).label).toBe("unknown");
});

test("a setback is overcome by a later row, giving up is not closed away", () => {
  expect(labelOf("The card was declined.", "Used the bank form instead.", "Wrote to the customer, done.")).toBe(
    "success",
  );
  expect(labelOf("Gave up on the card refund.", "Wrote to the customer, done.")).toBe("failure");
});

test("a last row that no longer holds says nothing, and speaks against the run", () => {
  expect(judgeRun([row("Deployed the service.", { status: "outdated" })]).label).toBe("failure");
  expect(judgeRun([row("Deployed the service.", { status: "cancelled" })]).label).toBe("unknown");
});

test("what a later run says takes nothing from a good ending, unless it says that it went wrong after all", () => {
  const ending = (contradicted_by: string) =>
    judgeRun([row("Version 4.1 shipped.", { status: "outdated", contradicted_by })]).label;
  expect(ending("Version 4.2 shipped, all good.")).toBe("success");
  expect(ending("Version 4.1 was rolled back, it broke the login.")).toBe("failure");
});

test("one contradicted row does not outweigh a good ending, whatever later runs updated", () => {
  const { label, failure } = judgeRun([row("The version is 4.1.", { status: "outdated" }), row("Deployed, all good.")]);
  expect(label).toBe("success");
  expect(failure).toBe(SIGNAL_WEIGHTS.contradicted);
});

test("a harness that says how the run ended is believed where the text says nothing", () => {
  expect(judgeRun([row("Looked at the queue.", { outcome: "success" })]).label).toBe("success");
  expect(judgeRun([row("Looked at the queue.", { outcome: "failure" })]).label).toBe("failure");
  expect(judgeRun([row("Looked at the queue.", { outcome: "perhaps" })]).label).toBe("unknown");
});

test("a run without rows is unknown", () => expect(judgeRun([]).label).toBe("unknown"));
