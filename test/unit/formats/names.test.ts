import { expect, test } from "bun:test";
import { AUTO, READERS } from "../../../src/formats/all.ts";
import { FORMAT_NAMES } from "../../../src/formats/names.ts";

test("the formats that the command line names are those that there are", () => {
  expect<readonly string[]>(FORMAT_NAMES).toEqual([AUTO, ...READERS.map(({ name }) => name), "caura"]);
});
