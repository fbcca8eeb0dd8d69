import { afterEach, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { ask } from "../../support/api/raw-request.ts";
import { aMemory } from "../../support/builders.ts";
import type { Server } from "../server.ts";
import { aFolder, cleanUp, spawnServer, until } from "../server.ts";

const LIMIT = 50;
const MANY = 300;
const VERSION = "GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n";

const open = new Set<Socket>();

afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await cleanUp();
});

/** A connection that says this, and stays. Resolves with its first reply, or once connected where nothing is asked. */
async function stay(port: number, text: string, isAnswered: boolean): Promise<{ socket: Socket; reply: string }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(text);
    if (!isAnswered) resolve("");
  });
  open.add(socket);
  socket.setEncoding("utf8");
  socket.once("data", (part: string) => resolve(part));
  socket.on("error", () => resolve(""));
  socket.on("close", () => {
    open.delete(socket);
    resolve("");
  });
  return { socket, reply: await promise };
}

const limited = (): Promise<Server> => spawnServer({ folder: aFolder(), flags: [`--connections-limit=${LIMIT}`] });

const bodyOf = (content: string): string => JSON.stringify(aMemory({ content }));
const headOf = (body: string): string =>
  `POST ${MEMORIES} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

test("idle connections beyond the limit are closed, others are answered, and no write in hand is lost", async () => {
  const server = await limited();
  const body = bodyOf("The ferry to Hven leaves at nine in the morning.");
  const { socket } = await stay(server.port, `${headOf(body)}${body.slice(0, 10)}`, false);
  const written = new Promise<string>((resolve) => socket.once("data", (part) => resolve(String(part))));
  await Promise.all(Array.from({ length: MANY }, () => stay(server.port, VERSION, true)));
  await until("idle connections are closed", async () => open.size <= LIMIT);
  expect((await ask(server.port, "GET /api/v1/version")).status).toBe(200);
  socket.write(body.slice(10));
  expect(await written).toStartWith("HTTP/1.1 201");
  expect(server.log().match(/"event":"too many connections"/g)).toHaveLength(1);
});

test("while more connections are busy than may be, a request is told to come back, over another one", async () => {
  const server = await limited();
  const body = bodyOf("The lighthouse of Kullen burns day and night.");
  const busy = await Promise.all(
    Array.from({ length: LIMIT + 10 }, () => stay(server.port, `${headOf(body)}${body.slice(0, 10)}`, false)),
  );
  await until("the crowd is seen", async () => (await ask(server.port, "GET /api/v1/version")).status === 503);
  const { status, head, body: told } = await ask(server.port, "GET /api/v1/version");
  expect([status, JSON.parse(told).error.details.reason]).toEqual([503, "too_many_connections"]);
  expect(head).toMatch(/^retry-after: 1\r?$/im);
  expect(head).toMatch(/^connection: close\r?$/im);
  const [first] = busy;
  const written = new Promise<string>((resolve) => first?.socket.once("data", (part) => resolve(String(part))));
  first?.socket.write(body.slice(10));
  expect(await written).toStartWith("HTTP/1.1 201");
  for (const { socket } of busy) socket.destroy();
  await until("there is room again", async () => (await ask(server.port, "GET /api/v1/version")).status === 200);
  expect((await server.client.ok(Memory, "POST", MEMORIES, { body: aMemory() })).id).toEqual(expect.any(String));
});
