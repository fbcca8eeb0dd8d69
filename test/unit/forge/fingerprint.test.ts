import { expect, test } from "bun:test";
import { sha256 } from "../../../src/core/kernel/hash.ts";
import { clusterFingerprint } from "../../../src/forge/fingerprint.ts";

const parts = {
  goal: "Renew the certificates of the gateway",
  domain: " Certificate ",
  entities: ["e3", "e1"],
  steps: ["Generate a new private key", "Reload the server"],
};

test("a fingerprint is the hash of four lines", () => {
  const lines = [
    "goal=certificate gateway renew",
    "domain=certificate",
    "entities=e1,e3",
    "steps=generate new private key|reload server",
  ];
  expect(clusterFingerprint(parts)).toBe(`fp:v1:${sha256(lines.join("\n"))}`);
});

test("the order of entities and the plural of words do not matter, the order of steps does", () => {
  const same = { ...parts, goal: "renew certificate of gateways", entities: ["e1", "e3"] };
  expect(clusterFingerprint(same)).toBe(clusterFingerprint(parts));
  expect(clusterFingerprint({ ...parts, steps: parts.steps.toReversed() })).not.toBe(clusterFingerprint(parts));
});
