import { expect, test } from "bun:test";
import { endpointsOf } from "../../../../src/cli/doctor/network.ts";
import { parseSocket } from "../../../../src/cli/doctor/sockets.ts";

const line = (local: string, remote: string, state = "01") =>
  `   1: ${local} ${remote} ${state} 00000000:00000000 02:000A 00000000  1000        0 48213 2 0000 20 4 0 10 -1`;

test("an address of a table of the kernel is read, of either protocol", () => {
  const addressOf = (remote: string) => parseSocket(line("0100007F:1F40", `${remote}:01BB`), "tcp")?.address;
  expect(addressOf("0100007F")).toBe("127.0.0.1");
  expect(addressOf("22D8B85D")).toBe("93.184.216.34");
  expect(addressOf("0000000000000000FFFF00000100007F")).toBe("127.0.0.1");
  expect(addressOf("00000000000000000000000001000000")).toBe("::1");
  expect(addressOf("B80D0120000000000000000001000000")).toBe("2001:db8::1");
});

test("ports, state and inode are read, and the line of titles is none", () => {
  expect(parseSocket(line("0100007F:1F40", "0100007F:C350", "0A"), "tcp")).toEqual({
    protocol: "tcp",
    address: "127.0.0.1",
    port: 50_000,
    local_port: 8000,
    state: "0A",
    inode: "48213",
  });
  expect(parseSocket("  sl  local_address rem_address   st tx_queue", "tcp")).toBeNull();
  expect(parseSocket("", "tcp")).toBeNull();
});

test("of configured addresses nothing secret is told", () => {
  const urls = { "a Redis": "redis://user:secret@cache.example:6380/0", "a language model": "https://llm.example/v1" };
  expect(endpointsOf({ ...urls, none: undefined })).toEqual([
    { name: "a Redis", host: "cache.example", port: 6380 },
    { name: "a language model", host: "llm.example", port: 443 },
  ]);
});
