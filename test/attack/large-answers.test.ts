import { afterAll, expect, test } from "bun:test";
import { askCaura } from "../../src/formats/foreign/caura/ask.ts";

const UNPACKED_MIB = 300;
/** A third of a megabyte, which unpacks to more than any page has. */
const packed = Bun.gzipSync(new Uint8Array(UNPACKED_MIB * 1_048_576).fill(0x20), { level: 1 });
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(packed, { headers: { "Content-Encoding": "gzip", "Content-Type": "application/json" } }),
});
afterAll(() => server.stop(true));

test("an answer that unpacks to more than any page has is given up, unread", async () => {
  expect(packed.length).toBeLessThan(4_000_000);
  const asked = askCaura({ url: `http://127.0.0.1:${server.port}`, key: null, fetch });
  const error = await asked.get("/memories").catch((fault: unknown) => fault);
  expect(String(error)).toContain("answers with more than 256 MiB");
}, 60_000);
