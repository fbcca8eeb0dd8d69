import { expect, test } from "bun:test";
import { unifiedDiff } from "../../../src/cli/setup/diff.ts";

test.each([
  ["that changes", "a: 1\n", "a: 2\n", ["--- set.yaml", "+++ set.yaml", "@@ -1,1 +1,1 @@", "-a: 1", "+a: 2"]],
  ["that is made", null, "a: 2\n", ["--- /dev/null", "+++ set.yaml", "@@ -0,0 +1,1 @@", "+a: 2"]],
  ["that goes", "a: 1\n", null, ["--- set.yaml", "+++ /dev/null", "@@ -1,1 +0,0 @@", "-a: 1"]],
])("a file %s is shown from its names on", (_, before, after, lines) => {
  expect(unifiedDiff({ file: "set.yaml", before, after, spent: [] }).split("\n")).toEqual(lines);
});
