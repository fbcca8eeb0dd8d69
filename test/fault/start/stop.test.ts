import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import type { Server } from "../server.ts";
import { aFolder, checkData, cleanUp, count, openData, spawnServer, until, untilSettled } from "../server.ts";

const HANG_GUARD_MS = 180_000;
const WRITERS = 16;

afterAll(cleanUp);

const address = (id: string) => [`/api/v1/memories/${id}`, { query: { tenant_id: "default" } }] as const;
const walBytes = (folder: string): number => {
  const wal = join(folder, "cairn.db-wal");
  return existsSync(wal) ? statSync(wal).size : 0;
};

const GO_ON = "HTTP/1.1 100 Continue\r\n\r\n";

/**
 * A client whose request the server has begun to read and of which half is sent; shows what came back once the server
 * closed the connection.
 */
async function halfSent({ port }: Server, body: string) {
  const closed = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let text = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => {
        text += new TextDecoder().decode(bytes);
        if (!text.startsWith(GO_ON)) return;
        text = text.slice(GO_ON.length);
        begun.resolve();
      },
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  const half = Math.floor(body.length / 2);
  const expects = ["Expect: 100-continue", `Content-Length: ${body.length}`];
  socket.write(`${["POST /api/v1/memories HTTP/1.1", "Host: localhost", ...expects].join("\r\n")}\r\n\r\n`);
  await begun.promise;
  socket.write(body.slice(0, half));
  socket.flush();
  return {
    finish: async () => {
      socket.write(body.slice(half));
      socket.flush();
      await closed.promise;
      return text;
    },
  };
}

test(
  "SIGTERM in the middle of a request lets it finish, and what it answers is kept",
  async () => {
    const folder = aFolder();
    const server = await spawnServer({ folder: folder });
    const content = "Half of this was sent before the server was told to stop.";
    const request = await halfSent(server, JSON.stringify({ tenant_id: "default", content }));
    const ended = server.terminate();
    await Bun.sleep(200);
    const reply = await request.finish();
    expect(reply).toStartWith("HTTP/1.1 201");
    expect(await ended).toBe(0);
    const { id } = Memory.parse(JSON.parse(reply.slice(reply.indexOf("\r\n\r\n"))));

    const next = await spawnServer({ folder: folder });
    expect((await next.client.ok(MemoryDetail, "GET", ...address(id))).content).toBe(content);
    expect(await next.terminate()).toBe(0);
  },
  HANG_GUARD_MS,
);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(
    `${signal} under load ends with code 0, an empty write-ahead log, and every answered write kept`,
    async () => {
      const folder = aFolder();
      const server = await spawnServer({ folder: folder });
      const written = new Map<string, string>();
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let i = 0; ; i++) {
          const content = `Writer ${writer} wrote its row ${i} before the end.`;
          const sent = server.client.ok(Memory, "POST", "/api/v1/memories", {
            body: { tenant_id: "default", content },
          });
          const memory = await sent.catch((error: unknown) => {
            if (String(error).includes("was refused")) throw error;
            return null; // The connection is gone: the server has stopped listening.
          });
          if (!memory) return;
          written.set(memory.id, content);
        }
      });
      await until("the load is on", async () => written.size > 5 * WRITERS);
      expect(await server.terminate(signal)).toBe(0);
      await Promise.all(writers);
      expect(walBytes(folder)).toBe(0);
      checkData(folder);

      const next = await spawnServer({ folder: folder });
      for (const [id, content] of written) {
        expect((await next.client.ok(MemoryDetail, "GET", ...address(id))).content).toBe(content);
      }
      await untilSettled(next);
      expect(await next.terminate()).toBe(0);
    },
    HANG_GUARD_MS,
  );
}

test(
  "SIGTERM while the model works through a backlog does not wait for it, and the rest is done after the restart",
  async () => {
    const folder = aFolder();
    const server = await spawnServer({ folder: folder, embedder: "onnx" });
    for (let batch = 0; batch < 2; batch++) {
      const items = Array.from({ length: 100 }, (_, i) => ({
        content: `Entry ${batch}/${i}: ${"tide tables ".repeat(60)}`,
      }));
      await server.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body: { tenant_id: "default", items } });
    }
    expect(await server.terminate()).toBe(0);
    expect(walBytes(folder)).toBe(0);
    checkData(folder);
    const db = openData(folder);
    expect(count(db, "memories where embedded_by is null")).toBeGreaterThan(0); // Else nothing was interrupted.
    db.close();
    // With the hash embedder, so that nobody waits for the model: what counts is that the jobs go on.
    const next = await spawnServer({ folder: folder });
    await untilSettled(next);
    expect(await next.terminate()).toBe(0);
    checkData(folder);
  },
  HANG_GUARD_MS,
);

test(
  "SIGTERM amid searches waits for their threads: recalls are counted, and the log is empty",
  async () => {
    const folder = aFolder();
    const server = await spawnServer({ folder });
    const { write, search } = memoriesApi(server.client);
    for (let i = 0; i < 20; i++) await write({ content: `The ferry to island ${i} leaves from pier ${i}.` });
    await untilSettled(server);
    await until("a thread searches", async () => {
      const { search_threads } = await server.client.ok(Status, "GET", "/api/v1/status");
      return search_threads > 0;
    });
    const asked = Array.from({ length: 20 }, (_, i) =>
      search(`the ferry to island ${i}`, { caller_agent_id: "ada", top_k: 20 }).catch(() => null),
    );
    await Promise.race(asked);
    expect(await server.terminate()).toBe(0);
    const found = (await Promise.all(asked)).filter((reply) => reply !== null);
    expect(walBytes(folder)).toBe(0);
    const db = openData(folder);
    const counted = db.query<{ n: number }, []>("select sum(recall_count) as n from memories").get()?.n;
    db.close();
    expect(counted).toBe(found.flatMap(({ items }) => items).length);
  },
  HANG_GUARD_MS,
);

test(
  "connections that are open but idle do not hold up the stop",
  async () => {
    const folder = aFolder();
    const server = await spawnServer({ folder: folder });
    const open = await Promise.all(
      Array.from({ length: 5 }, () =>
        Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data: () => {}, error: () => {} } }),
      ),
    );
    for (const socket of open) socket.write("GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await Bun.sleep(100);
    expect(await server.terminate()).toBe(0);
    for (const socket of open) socket.end();
  },
  HANG_GUARD_MS,
);

test(
  "a request whose body never ends does not keep the stop from its checkpoint",
  async () => {
    const folder = aFolder();
    const server = await spawnServer({ folder });
    await server.client.ok(Memory, "POST", "/api/v1/memories", {
      body: { tenant_id: "default", content: "Written before the stop." },
    });
    await halfSent(server, JSON.stringify({ tenant_id: "default", content: "Of this, half is never sent." }));
    expect(await server.terminate()).toBe(0);
    expect(walBytes(folder)).toBe(0);
    checkData(folder);
  },
  HANG_GUARD_MS,
);
