import { describe, expect, test } from "bun:test";
import { factsMissing, factsOf } from "../../../../src/text/llm/facts.ts";

describe("the facts of a text", () => {
  test.each([
    ["Run `npm test` first.", ["npm test"]],
    ["Wait 30 seconds, then 1.5 more (v2.3.1).", ["30", "1.5", "v2.3.1"]],
    ["On 2024-05-06 at 10:30.", ["2024-05-06", "10:30"]],
    ["See https://wiki.example/pay, or mail ops@example.org.", ["https://wiki.example/pay", "ops@example.org"]],
    ["Edit /etc/hosts, .env and ./run with --force or -y.", ["/etc/hosts", ".env", "./run", "--force", "-y"]],
    ["Set MAX_SIZE in loadConfig of app.config.", ["MAX_SIZE", "loadConfig", "app.config"]],
    ["It costs $500.", ["$500"]],
  ])("%j", (text, facts) => {
    expect(factsOf(text)).toEqual(facts);
  });

  test.each([
    "",
    "Ask the team first; then deploy.",
    "1. Ask.\n2. Deploy...\n10) Rest. - And more, ...and more.",
    "Late, e.g. at night, i.e. after work.",
  ])("of %j are none", (text) => {
    expect(factsOf(text)).toEqual([]);
  });
});

describe("what is missing", () => {
  test.each([
    ["Run `npm test` 3 times.", "Three runs, as in 3, of npm test."],
    ["Run npm\n  test on app_one.", "The app_one: run npm test."],
    ["1. Wait 5 s.", "- Wait for 5 s."],
  ])("of %j in %j is nothing", (from, within) => {
    expect(factsMissing(from, within)).toEqual([]);
  });

  test.each([
    ["Wait 5 s.", "Wait 15 s.", ["5"]],
    ["Wait 5 s.", "Wait 1.5 s.", ["5"]],
    ["Use 1.5.", "Use 1.5.2.", ["1.5"]],
    ["Run `npm test`.", "Run npm tests.", ["npm test"]],
    ["Run `npm test`.", "Run `npm test:unit`.", ["npm test"]],
    ["Read /etc/hosts.", "Read /etc/hostname.", ["/etc/hosts"]],
  ])("of %j in %j is named", (from, within, missing) => {
    expect(factsMissing(from, within)).toEqual(missing);
  });
});
