import { describe, expect, test } from "bun:test";
import { hashKey, isOurKey } from "../../../src/access/keys.ts";
import { presentedKey } from "../../../src/access/resolve.ts";
import { secret } from "../../../src/core/kernel/secret.ts";

const presented = (headers: Record<string, string>) => presentedKey(new Headers(headers));

describe("the key of a request is", () => {
  test.each<[string, Record<string, string>, string | null]>([
    ["that of X-API-Key", { "X-API-Key": " one " }, "one"],
    ["that of a Bearer", { Authorization: "Bearer one" }, "one"],
    ["that of X-API-Key before a Bearer", { "X-API-Key": "one", Authorization: "Bearer two" }, "one"],
    ["ours, wherever it stands", { "X-API-Key": "one", Authorization: "Bearer mc_two" }, "mc_two"],
    ["the first of two of ours", { "X-API-Key": "mc_one", Authorization: "Bearer mc_two" }, "mc_one"],
    ["that of a Bearer beside an empty X-API-Key", { "X-API-Key": "  ", Authorization: "Bearer two" }, "two"],
    ["ours without a scheme", { Authorization: "mc_one" }, "mc_one"],
    ["ours under another scheme", { Authorization: "Token mc_one" }, "mc_one"],
    ["ours in quotes", { Authorization: 'Bearer "mc_one"' }, "mc_one"],
    ["ours among two of one header", { "X-API-Key": "one, mc_two" }, "mc_two"],
    ["ours among two Bearers", { Authorization: "Bearer one, Bearer mc_two" }, "mc_two"],
    ["not one that only holds ours in a word", { "X-API-Key": "xmc_one" }, "xmc_one"],
    ["none without either", {}, null],
    ["none in another scheme", { Authorization: "Basic b25lOnR3bw==" }, null],
    ["none in a Bearer of two words", { Authorization: "Bearer one two" }, null],
  ])("%s", (_, headers, expected) => {
    expect(presented(headers)).toBe(expected);
  });
});

test("only what begins with mc_ is one of ours, and its hash tells nothing of it", () => {
  expect(["mc_x", "mc_", "MC_x", "xmc_", ""].map(isOurKey)).toEqual([true, true, false, false, false]);
  expect(hashKey("mc_x")).toMatch(/^[0-9a-f]{64}$/);
});

test("a secret matches itself alone, and shows itself in no form", () => {
  const kept = secret("sesame-sesame");
  expect(["sesame-sesame", "sesame", "sesame-sesame ", ""].map(kept.matches)).toEqual([true, false, false, false]);
  expect(`${kept} ${JSON.stringify({ kept })} ${Bun.inspect(kept)}`).not.toContain("sesame");
});
