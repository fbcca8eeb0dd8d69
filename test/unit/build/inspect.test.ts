import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectExecutable, platformOf } from "../../../scripts/build/inspect.ts";
import { packageFolder, requireDigest } from "../../../scripts/build/packages.ts";
import type { Target } from "../../../scripts/build/targets.ts";
import { archOf, hostTarget, nodePlatform, TARGETS, targetNamed } from "../../../scripts/build/targets.ts";
import { temporaryFolder } from "../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The model runtime's binding for a platform: its package carries those of all. */
const bindingFor = (target: Target): string =>
  join(
    packageFolder("onnxruntime-node"),
    `bin/napi-v6/${nodePlatform(target)}/${archOf(target)}`,
    "onnxruntime_binding.node",
  );

/** A file that is the binding of a platform with other bytes behind it, as an executable is. */
function executable(target: Target, ...behind: string[]): string {
  const path = join(folder.path, `made-for-${target}`);
  writeFileSync(path, Buffer.concat([readFileSync(bindingFor(target)), ...behind.map((text) => Buffer.from(text))]));
  return path;
}

function part(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

test.each(TARGETS)("a native file tells that it is for %s", (target) => {
  expect(platformOf(readFileSync(bindingFor(target)))).toEqual([target]);
});

test("what is no native file is for nothing", () => {
  expect(platformOf(Buffer.from("#!/bin/sh\necho nothing\n"))).toEqual([]);
});

describe("an executable", () => {
  const weights = part("weights.bin", "w".repeat(100));

  test("that holds its parts passes", () => {
    const path = executable("darwin-arm64", "head", "w".repeat(100), "tail");
    inspectExecutable(path, "darwin-arm64", { embedded: [weights], native: [bindingFor("darwin-arm64")] });
  });

  test("whose part differs in its last byte is refused", () => {
    const path = executable("darwin-arm64", "w".repeat(99));
    const inspect = () => inspectExecutable(path, "darwin-arm64", { embedded: [weights], native: [] });
    expect(inspect).toThrow("weights.bin is not in");
  });

  test("made from native files of another platform, or itself of another, is refused", () => {
    const path = executable("linux-arm64", "w".repeat(100));
    const parts = { embedded: [weights], native: [bindingFor("windows-x64")] };
    expect(() => inspectExecutable(path, "linux-arm64", parts)).toThrow("is for windows-x64, not linux-arm64");
    expect(() => inspectExecutable(path, "linux-x64", { ...parts, native: [] })).toThrow("is for linux-arm64, not");
  });
});

test("a package whose digest is not that of the lock file is refused", () => {
  const path = part("package.tgz", "bytes");
  const sha512 = "sha512-r1oIwHSMFcBcqJsWzmNDHmJ4nYVSPcxpjKc7qUBC3bfoyPEKDYm3cqKHCfAp+Rg4BvRYcYNc15tuwYl0yoxQLQ==";
  expect(() => requireDigest(path, sha512, "a package")).toThrow("a package is not what package-lock.json records");
  const own = new Bun.CryptoHasher("sha512").update("bytes").digest("base64");
  requireDigest(path, `sha512-${own}`, "a package");
});

test("a target that is not known is told which are", () => {
  expect(() => targetNamed("plan9-x64")).toThrow("linux-x64");
  expect(TARGETS).toContain(hostTarget());
});
