import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import { jsonLogger } from "../../../src/core/kernel/log.ts";
import { STREAMS } from "../../../src/http/events/places.ts";
import { openEvents } from "../../support/api/event-stream.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { ACTOR, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, mint, viaGateway } from "../../support/credentials.ts";
import type { InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/events";
const QUICK = { beat_ms: 100, life_ms: 60_000 };
const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function listening(options: InProcessOptions = {}) {
  const opened = await openApp({ streamTimes: QUICK, ...options, flags: [GATEWAY, ...(options.flags ?? [])] });
  const { url, port } = opened.app.listen();
  stops.push(() => opened.app.stop());
  return { ...opened, url, port };
}
const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

describe.skipIf(isBinary)("streams", () => {
  test("are bounded for a caller: the next is 429 with Retry-After, until one is left", async () => {
    const { client, url } = await listening();
    const readers = await times(STREAMS.caller, () => openEvents(url, viaGateway("acme")));
    expect(readers.map(({ response }) => response.status)).toEqual(readers.map(() => 200));
    const { status, headers, body } = await client.as(viaGateway("acme")).refused("GET", PATH);
    expect([status, body.error.code, headers.get("Retry-After")]).toEqual([429, "RATE_LIMITED", "10"]);
    expect((await client.as(viaGateway("globex")).call("GET", PATH)).status).toBe(200);
    for (const { abort } of readers) abort();
    await Bun.sleep(200);
    const again = await times(STREAMS.caller, () => openEvents(url, viaGateway("acme")));
    expect(again.map(({ response }) => response.status)).toEqual(again.map(() => 200));
    for (const { abort } of again) abort();
  });

  test("are bounded for the process: the next is 503 with Retry-After", async () => {
    const { client, url } = await listening();
    const callers = STREAMS.server / STREAMS.caller;
    const readers = await times(STREAMS.server, (i) => openEvents(url, viaGateway(`tenant ${i % callers}`)));
    expect(readers.filter(({ response }) => response.status !== 200)).toEqual([]);
    const { status, headers, body } = await client.as(viaGateway("late")).refused("GET", PATH);
    expect([status, body.error.code, headers.get("Retry-After")]).toEqual([503, "UNAVAILABLE", "10"]);
    for (const { abort } of readers) abort();
  });

  test("beat, and end by themselves after their time", async () => {
    const { url } = await listening({ streamTimes: { beat_ms: 50, life_ms: 500 } });
    const openedAt = performance.now();
    const reader = await openEvents(url);
    await reader.ended;
    const took = performance.now() - openedAt;
    expect(took).toBeGreaterThan(450);
    expect(took).toBeLessThan(2_000);
    expect(reader.told.filter(({ event }) => event === "comment").length).toBeGreaterThan(4);
  });

  test("end at once when the server stops, which does not wait for them", async () => {
    const { app, url } = await listening();
    const readers = await times(5, () => openEvents(url));
    const stoppedAt = performance.now();
    await app.stop();
    expect(performance.now() - stoppedAt).toBeLessThan(1_000);
    await Promise.all(readers.map(({ ended }) => ended));
  });

  test("end when the key is revoked that opened them, and no other does", async () => {
    const { app, client, url } = await listening();
    const [one, two] = [await mint(client), await mint(client)];
    const [revoked, silent] = await Promise.all(
      [one, two].map(({ raw_key }) => openEvents(url, { "X-API-Key": raw_key })),
    );
    const owner = await openEvents(url);
    await client.call("DELETE", `/api/v1/keys/${one.id}`);
    await revoked?.ended;
    // Likewise where nobody tells of it, with the next beat.
    const revokedAt = performance.now();
    await app.services.storage.keys.revoke(TENANT, two.id, toTimestamp(app.services.clock.now()), ACTOR);
    await silent?.ended;
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
    const before = owner.told.length;
    await owner.until((told) => told.length > before + 1);
    owner.abort();
  });

  test("are no requests in hand: others are answered beside them, and each is logged and counted as it opens", async () => {
    const lines: string[] = [];
    const log = jsonLogger(fakeClock(), (line) => lines.push(line));
    const { client, url } = await listening({ log, flags: ["--requests-limit=1"] });
    const reader = await openEvents(url);
    for (let i = 0; i < 3; i++) expect((await client.call("GET", "/api/v1/memories")).status).toBe(200);
    const logged = lines.map((line) => JSON.parse(line)).filter(({ operation }) => operation === "events");
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ event: "request", status: 200 });
    expect(logged[0].took_ms).toBeLessThan(1_000);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('cairn_http_requests_total{operation="events",status="200"} 1');
    reader.abort();
  });
});

/** Streams that nobody reads, without a socket that would take their first bytes. */
const unread = ({ app }: Awaited<ReturnType<typeof openApp>>) =>
  app.handle(new Request(`http://localhost${PATH}`, { headers: viaGateway("acme") }));

describe.skipIf(isBinary)("a reader that does not read", () => {
  test("has no more kept for it than which topics changed", async () => {
    const opened = await openApp({ flags: [GATEWAY] });
    stops.push(() => opened.app.stop());
    const { body } = await unread(opened);
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 20_000; i++) opened.app.services.changes.publish("acme", ["memories", "jobs"]);
      await Bun.sleep(320);
    }
    const reader = body?.getReader() ?? expect.unreachable();
    const parts = [];
    for (let i = 0; i < 2; i++) parts.push(new TextDecoder().decode((await reader.read()).value));
    expect(parts[0]).toStartWith("event: hello\n");
    expect(parts[1]).toStartWith('event: change\ndata: {"topics":["memories","jobs"]');
    // One more may have been ready; then there is nothing left.
    await Promise.race([reader.read(), Bun.sleep(400)]);
    expect(await Promise.race([reader.read(), Bun.sleep(700).then(() => "nothing")])).toBe("nothing");
  });

  test("is dropped after a while, which frees its place", async () => {
    const opened = await openApp({ flags: [GATEWAY], streamTimes: { beat_ms: 100, life_ms: 60_000 } });
    stops.push(() => opened.app.stop());
    const left = await times(STREAMS.caller, () => unread(opened));
    expect(left.map(({ status }) => status)).toEqual(left.map(() => 200));
    expect((await unread(opened)).status).toBe(429);
    await Bun.sleep(600);
    expect((await unread(opened)).status).toBe(200);
  });

  test("of a socket is told little when it reads again, as nothing was kept for it", async () => {
    const { app, client, port } = await listening({ streamTimes: { beat_ms: 10_000, life_ms: 60_000 } });
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await Bun.sleep(200);
    const until = performance.now() + 3_000;
    while (performance.now() < until) {
      for (let i = 0; i < 10_000; i++) app.services.changes.publish(TENANT, ["memories"]);
      await Bun.sleep(1);
    }
    let text = "";
    socket.on("data", (part) => {
      text += part.toString();
    });
    socket.resume();
    await Bun.sleep(500);
    const told = text.match(/event: change/g)?.length ?? 0;
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(15);
    socket.destroy();
    expect((await memoriesApi(client).write()).id).toBeString();
  });
});
