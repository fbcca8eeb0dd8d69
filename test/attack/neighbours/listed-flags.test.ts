import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";

// The flags of a process are for every account of the machine to read, in the list of processes.

setDefaultTimeout(60_000);
afterAll(cleanUp);

test("a server that was given a secret as a flag says once where it is to stand, without the secret", async () => {
  const secret = "sixteen quiet herons over the estuary";
  const { log, terminate } = await spawnServer({ folder: aFolder(), flags: [`--gateway-secret=${secret}`] });
  await terminate();
  const told = log().match(/a flag shows a secret.*/g) ?? [];
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("CAIRN_GATEWAY_SECRET");
  expect(log()).not.toContain(secret);
});
