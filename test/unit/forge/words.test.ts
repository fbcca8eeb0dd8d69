import { expect, test } from "bun:test";
import { byteLength } from "../../../src/core/kernel/text.ts";
import { actionsOf } from "../../../src/forge/actions.ts";
import { slugOf } from "../../../src/forge/goal.ts";
import { imperativeOf } from "../../../src/forge/wording/imperative.ts";
import { intentOf } from "../../../src/forge/wording/intent.ts";
import { addressed, fitted, wordingOf } from "../../../src/forge/wording/wording.ts";

/** What agents write, and the instruction that it is; null for what is none. */
const INSTRUCTIONS: readonly (readonly [told: string, instruction: string | null])[] = [
  ["Stopped the replica.", "Stop the replica."],
  ["I then restarted the worker", "Restart the worker"],
  ["We had to rebuild the index", "Rebuild the index"],
  ["Installed the chain, tested it and reloaded nginx", "Install the chain, test it and reload nginx"],
  ["2. Copied the keys to the new host", "Copy the keys to the new host"],
  ["- Ran the migration", "Run the migration"],
  ["Finally wrote the report", "Write the report"],
  ["Let me list what lives there", "List what lives there"],
  ["Rotating the key of the gateway", "Rotate the key of the gateway"],
  ["Offboarding of a guest", "Offboard a guest"],
  ["The build was uploaded to the stores", "Upload the build to the stores"],
  ["The plan got applied with a throttle", "Apply the plan with a throttle"],
  ["account disabled", "Disable account"],
  ["Build uploaded to both stores", "Upload build to both stores"],
  ["Checks the log", "Check the log"],
  ["Retrained the model", "Retrain the model"],
  ["Monitoring warns that the disk is full", null],
  ["Moving them took an hour", null],
  ["Rolling restart of the service", null],
  ["Checks passed", null],
  ["Build 42 failed", null],
  ["The lag dropped", null],
  ["Merged, all tests pass", null],
  ["Had not checked the disk", null],
  ["The customer complained", null],
  ["Good morning!", null],
  ["", null],
];
for (const [told, instruction] of INSTRUCTIONS) {
  test(`as an instruction: ${told}`, () => expect(imperativeOf(told)).toBe(instruction));
}

/** How runs begin, and what they are to achieve. */
const INTENTS: readonly (readonly [told: string, intent: string | null])[] = [
  ["Started the task: renew the certificate of the gateway (OPS-12).", "Renew the certificate of the gateway"],
  ["OPS-44: rotate the key before Friday", "Rotate the key"],
  ["taking SEC-3, replace the login of the shop", "Replace the login of the shop"],
  ["OPS-7 asks me to retire broker 3 because it is old", "Retire broker 3"],
  ["The plan is to move both volumes in one window.", "Move both volumes in one window"],
  ["Broker 9 of the cluster is to be removed permanently", "Remove broker 9 of the cluster permanently"],
  [
    "The password of the shop is old and has to be rotated through the vault",
    "Rotate the password of the shop through the vault",
  ],
  ["Today I publish the app", "Publish the app"],
  ["Draining node 4 so the machine can be deleted", "Drain node 4"],
  ["Quarterly chore, rotate the credentials of the shop.", "Rotate the credentials of the shop"],
  ["Monitoring warns that the certificate runs out", null],
];
for (const [told, intent] of INTENTS) {
  test(`as a goal: ${told}`, () => expect(intentOf(told)).toBe(intent));
}

test("a sentence is cut into its actions, and a purpose stays with its action", () => {
  expect(actionsOf("Wrote the list and ran the tool with it; saved the old plan")).toEqual([
    "Wrote the list",
    "ran the tool with it",
    "saved the old plan",
  ]);
  expect(actionsOf("The queue was empty, so I stopped the service and watched the log")).toEqual([
    "The queue was empty",
    "stopped the service",
    "watched the log",
  ]);
  expect(actionsOf("Copied key and chain to the folder")).toEqual(["Copied key and chain to the folder"]);
  expect(actionsOf("Ran it with a limit so that nobody starves")).toEqual([
    "Ran it with a limit so that nobody starves",
  ]);
});

const RUNS = [
  "Renewed OPS-12 on gw-01.corp.example for Alice with port 8443 in Postgres on 2026-03-01, took 20 minutes.",
  "Renewed OPS-99 on gw-02.corp.example for Bob with port 8443 in Postgres on 2026-03-05, took 35 minutes.",
  "Renewed OPS-77 on gw-03.corp.example for Carol with port 8443 in Postgres on 2026-03-09, took 12 minutes.",
];
test("what belongs to one run becomes a placeholder, what all of them write stays", () => {
  const { general, plain } = wordingOf(RUNS);
  expect(general("Open OPS-12 for Alice in Postgres")).toBe("Open <id> for <name> in Postgres");
  expect(general("Connect to port 8443 in Postgres, then tell Bob about it")).toBe(
    "Connect to port 8443 in Postgres, then tell <name> about it",
  );
  expect(general("Check the gateway on gw-01.corp.example")).toBe("Check the gateway");
  expect(general("Mail ann@corp.example the hash 4f9a1c2 of 10.0.0.7")).toBe("Mail <email> the hash <id>");
  expect(plain("Retire broker 15 from the cluster")).toBe("Retire a broker from the cluster");
});

test("a text is cut at whole words, and no longer than its bytes", () => {
  expect(fitted("alpha beta", 100)).toBe("alpha beta");
  expect(fitted("alpha beta gamma", 13)).toBe("alpha beta\u2026");
  expect(byteLength(fitted("\u00fcber \u00fcber \u00fcber", 12))).toBeLessThanOrEqual(12);
  expect(fitted("alphabet", 3)).toBe("");
});

test("a reader is spoken to, where the writer spoke of itself", () => {
  expect(addressed("Keep the file in case we need it before I edit it")).toBe(
    "Keep the file in case you need it before you edit it",
  );
});

test("a slug has only what addresses allow", () => {
  expect(slugOf("Renew the TLS certificate of a gateway")).toBe("renew-tls-certificate-gateway");
  expect(slugOf("D\u00e9ployer l'\u00e9t\u00e9")).toMatch(/^[a-z0-9][a-z0-9-]*$/);
  expect(slugOf("\u66f4\u65b0")).toBe("");
});
