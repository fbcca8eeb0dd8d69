import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { ErrorCode } from "../../src/core/kernel/errors.ts";
import type { LogFields } from "../../src/core/kernel/log.ts";
import { silentLogger } from "../../src/core/kernel/log.ts";
import { Counters, Status } from "../../src/core/schema/system.ts";
import { ensureRecurring } from "../../src/startup/background-jobs.ts";
import { Refusal } from "../support/api/client.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";

const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);
/** A reply to a broken request may never come: after this long the client hangs up. */
const PATIENCE_MS = 3_000;
const MIB = 1024 * 1024;

let opened: InProcess;
let port = 0;

beforeAll(async () => {
  opened = await openApp();
  port = opened.app.listen().port;
  // What recurs has had its turn, so that a job which is due is one that a refused request queued.
  await ensureRecurring(opened.app.services);
  await opened.settle();
});

afterAll(async () => {
  await opened.app.stop();
});

type Part = string | Uint8Array;

/** What the server sent until it closed the connection, or until patience ended. */
async function exchange(parts: Iterable<Part>, index = port): Promise<{ status: number; body: string }> {
  const closed = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  let text = "";
  let onDrain = () => {};
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: index,
    socket: {
      data: (_, bytes) => {
        text += decoder.decode(bytes, { stream: true });
      },
      drain: () => onDrain(),
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  const sendOne = async (part: Part) => {
    let rest: Uint8Array = typeof part === "string" ? Buffer.from(part, "latin1") : part;
    while (rest.length > 0) {
      const room = new Promise<void>((resolve) => {
        onDrain = resolve;
      });
      const taken = socket.write(rest);
      if (taken < 0) return;
      rest = rest.subarray(taken);
      if (rest.length > 0) await Promise.race([room, closed.promise]);
    }
  };
  const send = async () => {
    for (const part of parts) await sendOne(part);
    await closed.promise;
  };
  await Promise.race([send(), Bun.sleep(PATIENCE_MS)]);
  socket.end();
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), body: rest.join("\r\n\r\n") };
}

const request = (line: string, headers: readonly string[], body = ""): string =>
  `${[`${line} HTTP/1.1`, "Connection: close", ...headers].join("\r\n")}\r\n\r\n${body}`;
const LOCAL = "Host: localhost";

async function stored(): Promise<unknown> {
  const { memory_count } = await opened.client.ok(Counters, "GET", "/api/v1/stats");
  const { jobs } = await opened.client.ok(Status, "GET", "/api/v1/status");
  return { memory_count, jobs };
}

async function expectRefusal(parts: Iterable<Part>, status: number, code: ErrorCode): Promise<void> {
  const before = await stored();
  const reply = await exchange(parts);
  expect({ status: reply.status, code: Refusal.parse(JSON.parse(reply.body)).error.code }).toEqual({ status, code });
  expect(await stored()).toEqual(before);
}

function* chunked(chunks: number, chunk: Uint8Array): Generator<Part> {
  yield request("POST /api/v1/memories", [LOCAL, "Transfer-Encoding: chunked"]);
  for (let i = 0; i < chunks; i++) {
    yield `${chunk.length.toString(16)}\r\n`;
    yield chunk;
    yield "\r\n";
  }
  yield "0\r\n\r\n";
}

/** A write that would be welcome if it were smaller. */
const largeBody = (size: number): string => JSON.stringify({ tenant_id: "default", content: "x".repeat(size) });

test("a body of 5 MiB is refused in the envelope, with its length declared", async () => {
  const body = largeBody(5 * MIB);
  const sent = [request("POST /api/v1/memories", [LOCAL, `Content-Length: ${body.length}`]), body];
  await expectRefusal(sent, 413, "PAYLOAD_TOO_LARGE");
});

test("a body of 5 MiB is refused in the envelope, without a length", async () => {
  await expectRefusal(chunked(5, new Uint8Array(MIB).fill(0x20)), 413, "PAYLOAD_TOO_LARGE");
});

test("a body of 100 GB is refused before it is sent", async () => {
  const sent = [request("POST /api/v1/memories", [LOCAL, "Content-Length: 100000000000"]), "{"];
  await expectRefusal(sent, 413, "PAYLOAD_TOO_LARGE");
});

test("a body of just under 4 MiB is read, and refused for what it says", async () => {
  const body = largeBody(4 * MIB - 100);
  const sent = [request("POST /api/v1/memories", [LOCAL, `Content-Length: ${body.length}`]), body];
  await expectRefusal(sent, 422, "INVALID_ARGUMENTS");
});

test("a large body that no operation reads is not kept in memory", async () => {
  const before = process.memoryUsage().rss;
  const megabyte = new Uint8Array(MIB);
  const parts = [request("GET /api/v1/version", [LOCAL, `Content-Length: ${300 * MIB}`])];
  const flood = Array.from({ length: 300 }, () => megabyte);
  expect((await exchange([...parts, ...flood])).status).toBe(200);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
});

for (const path of ["%", "%zz", "%E0%A4%A", "%ED%A0%80", "%00", "a%2Fb"]) {
  test(`a memory id of ${path} is refused in the envelope`, async () => {
    const line = `GET /api/v1/memories/${path}?tenant_id=default`;
    await expectRefusal([request(line, [LOCAL])], 422, "INVALID_ARGUMENTS");
  });
}

for (const host of ["", "a b:c", "[::", "evil.example", "localhost.evil.example", "%00", "127.0.0.1.nip.io"]) {
  for (const path of ["/api/v1/version", "/nowhere"]) {
    test(`Host '${host}' is refused at ${path}`, async () => {
      await expectRefusal([request(`GET ${path}`, [`Host: ${host}`])], 403, "HOST_NOT_ALLOWED");
    });
  }
}

for (const [method, code, status] of [
  ["OPTIONS", "METHOD_NOT_ALLOWED", 405],
  ["TRACE", "METHOD_NOT_ALLOWED", 405],
  ["PUT", "METHOD_NOT_ALLOWED", 405],
] as const) {
  test(`${method} is refused in the envelope`, async () => {
    await expectRefusal([request(`${method} /api/v1/version`, [LOCAL])], status, code);
  });
}

test("a client that hangs up in the middle of its body stores nothing and harms nobody", async () => {
  const before = await stored();
  const body = JSON.stringify({ tenant_id: "default", content: "Never to be seen, because it never ends." });
  const half = request("POST /api/v1/memories", [LOCAL, `Content-Length: ${body.length}`], body.slice(0, -5));
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {}, error: () => {} } });
  socket.write(half);
  socket.terminate();
  expect((await exchange([request("GET /api/v1/version", [LOCAL])])).status).toBe(200);
  expect(await stored()).toEqual(before);
});

for (const path of ["%2E", ".", "./", "%2e%2E/x/..", "stats/..", ""]) {
  test(`DELETE /api/v1/memories/${path} deletes nothing`, async () => {
    const { app, client } = await openApp();
    const ferry = { tenant_id: "default", content: "The ferry leaves at nine in the morning." };
    await client.call("POST", "/api/v1/memories", { body: ferry });
    const target = `DELETE /api/v1/memories/${path}?tenant_id=default`;
    const { status } = await exchange([request(target, [LOCAL, "Connection: close"])], app.listen().port);
    expect([400, 404]).toContain(status);
    expect((await client.ok(Counters, "GET", "/api/v1/stats")).memory_count).toBe(1);
    await app.stop();
  });
}

test("a server may have a short name", async () => {
  const named = await openApp({ flags: ["--allowed-hosts=db"] });
  const reply = await exchange(
    [request("GET /api/v1/version", ["Host: db", "Connection: close"])],
    named.app.listen().port,
  );
  expect(reply.status).toBe(200);
  await named.app.stop();
});

test("a client that hangs up in the middle of its body is no fault of the server", async () => {
  const logged = Promise.withResolvers<LogFields | undefined>();
  const note = (_: string, fields?: LogFields) => logged.resolve(fields);
  const watched = await openApp({ log: { ...silentLogger, info: note, error: note } });
  const half = request("POST /api/v1/memories", [LOCAL, "Content-Length: 500", "Expect: 100-continue"], "{");
  const { port } = watched.app.listen();
  // What comes is the word to go on: the server is reading.
  const hangUp = (socket: Bun.Socket) => void socket.terminate();
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: hangUp, error: () => {} } });
  socket.write(half);
  expect(await logged.promise).toMatchObject({ status: 400, code: "BAD_REQUEST" });
  await watched.app.stop();
});

test("a body that never comes is refused in the envelope when its time is over, and stores nothing", async () => {
  const hasty = await openApp({ requestLimitMs: 100 });
  const body = JSON.stringify({ tenant_id: "default", content: "Never to be seen, because it never ends." });
  const half = request("POST /api/v1/memories", [LOCAL, `Content-Length: ${body.length}`], body.slice(0, -5));
  const reply = await exchange([half], hasty.app.listen().port);
  expect([reply.status, Refusal.parse(JSON.parse(reply.body)).error.code]).toEqual([408, "REQUEST_TIMEOUT"]);
  expect((await hasty.client.ok(Counters, "GET", "/api/v1/stats")).memory_count).toBe(0);
  await hasty.app.stop();
});

test("a request of old HTTP, which names no Host, is refused in the envelope", async () => {
  for (const path of ["/api/v1/version", "/nowhere"]) {
    await expectRefusal([`GET ${path} HTTP/1.0\r\n\r\n`], 403, "HOST_NOT_ALLOWED");
  }
});

test("bytes that are no request take nothing down", async () => {
  const body = JSON.stringify({ tenant_id: "default" });
  const valid = request("POST /api/v1/memories", [LOCAL, `Content-Length: ${body.length}`], body);
  const damaged = fc
    .array(fc.tuple(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 })
    .map((edits) => {
      const bytes = Buffer.from(valid, "latin1");
      for (const [index, value] of edits) bytes[index] = value;
      return bytes;
    });
  const before = await stored();
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {}, error: () => {} } });
      socket.write(bytes);
      socket.end();
    }),
    { numRuns: 200 },
  );
  expect((await exchange([request("GET /api/v1/version", [LOCAL])])).status).toBe(200);
  expect(await stored()).toEqual(before);
});
