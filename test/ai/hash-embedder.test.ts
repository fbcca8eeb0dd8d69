import { expect, test } from "bun:test";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { cosine, describeEmbedder, PASSAGE } from "./contract.ts";

describeEmbedder("the hash embedder", hashEmbedder);

test("word forms are nearer than other words", async () => {
  const [base, form, other] = await hashEmbedder().embed(
    ["deploying services", "deployed service", "apple pie"],
    PASSAGE,
  );
  expect(cosine(base, form)).toBeGreaterThan(0.3);
  expect(Math.abs(cosine(base, other))).toBeLessThan(0.2);
});
