import { expect, test } from "bun:test";
import { TransferRecord } from "../../../src/core/schema/keeping/transfer.ts";
import { aRow } from "../../support/builders.ts";

/** What an import makes anew, or has from where it stores. */
const MADE_ANEW = ["tenant_id", "content_hash", "deleted_at", "embedded_by"];

test("an import knows every member of a memory that it does not make anew", () => {
  const memory = TransferRecord.options.find(({ shape }) => shape.record.value === "memory");
  const known = Object.keys(memory?.shape ?? {});
  expect(Object.keys(aRow()).filter((member) => !known.includes(member))).toEqual(expect.arrayContaining(MADE_ANEW));
  expect(Object.keys(aRow()).filter((member) => ![...known, ...MADE_ANEW].includes(member))).toEqual([]);
});
