import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { sql } from "drizzle-orm";
import { databaseNamed, readDatabaseAddress } from "../../../src/core/kernel/address.ts";
import { destinationOf } from "../../../src/storage/postgres/engine/address.ts";
import { asStorageFault, coded, codeOf } from "../../../src/storage/postgres/engine/faults.ts";
import { openServer } from "../../../src/storage/postgres/engine/server.ts";

describe("an address of a database", () => {
  test.each([
    ["postgres://anna:p%40ss@db.internal:5433/memory", { user: "anna", password: "p@ss", database: "memory" }],
    ["postgresql://anna:a:b@db.internal/memory", { user: "anna", password: "a:b", database: "memory" }],
    ["postgres://db.internal/memory?user=anna&password=quokka", { user: "anna", password: "quokka" }],
    ["postgres:///memory?host=/run/pg", { hosts: [{ host: "/run/pg", port: null }], database: "memory" }],
    ["postgres://%2Frun%2Fpg/memory", { hosts: [{ host: "/run/pg", port: null }] }],
    ["postgres://anna@[::1]:5433/memory", { hosts: [{ host: "::1", port: 5433 }] }],
    ["postgres://", { user: null, password: null, hosts: [], database: null }],
  ])("%s is read as libpq reads it", (text, parts) => {
    expect(readDatabaseAddress(text)).toMatchObject(parts);
  });

  test.each([
    "https://db.internal/memory",
    "postgres://anna:quok/ka@db.internal/memory",
    "postgres://anna:quok?ka@db.internal/memory",
    "postgres://anna:quokka@db.internal:99999/memory",
    "postgres://anna:%zz@db.internal/memory",
    "memory",
  ])("%s is none", (text) => {
    expect(readDatabaseAddress(text)).toBeNull();
    expect(databaseNamed(text)).toBe("");
  });

  test("is named without its password and its parameters", () => {
    expect(databaseNamed("postgres://anna:quokka@db.internal:5433/memory?sslmode=require")).toBe(
      "postgres://anna@db.internal:5433/memory",
    );
    expect(databaseNamed("postgres:///memory?host=/run/pg&password=quokka")).toBe("postgres:///run/pg/memory");
  });

  test.each([
    ["postgres://a,b/memory", "several hosts"],
    ["postgres://a/memory?sslmod=require", "sslmod"],
    ["postgres://a/memory?sslmode=full", "sslmode"],
    ["postgres://a/memory?sslmode=verify-ca&sslrootcert=/nowhere/ca.pem", "/nowhere/ca.pem"],
  ])("%s is refused, saying why", (text, why) => {
    expect(() => destinationOf(text)).toThrow(why);
  });
});

const CERTIFICATE = join(import.meta.dir, "tls", "cert.pem");
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Refuses whoever has got as far as to say who he is, and tells how he came. */
function refuse(socket: Socket | TLSSocket, how: string): void {
  socket.once("data", () => {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C28000\0Mcame ${how}\0\0`);
    const head = Buffer.alloc(5);
    head.write("E");
    head.writeInt32BE(fields.length + 4, 1);
    socket.end(Buffer.concat([head, fields]));
  });
}

const SSL_REQUEST = 80_877_103;

/** A server that is a database as far as its greeting; returns its port. */
function greeter(hasTls: boolean): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (asked: Buffer) => {
      const asksTls = asked.readInt32BE(4) === SSL_REQUEST;
      if (asksTls) socket.write(hasTls ? "S" : "N");
      if (!asksTls) socket.unshift(asked);
      if (!asksTls || !hasTls) return refuse(socket, "plain");
      const key = readFileSync(join(import.meta.dir, "tls", "key.pem"));
      const secure = new TLSSocket(socket, { isServer: true, key, cert: readFileSync(CERTIFICATE) });
      secure.on("error", () => {});
      refuse(secure, "encrypted");
    });
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : 0);
    });
  });
}

/** What a server with or without TLS sees of a connection with these parameters, or the code with which it fails before. */
async function came(hasTls: boolean, parameters: string, host = "localhost"): Promise<string> {
  const url = `postgres://anna:quokka@${host}:${await greeter(hasTls)}/memory${parameters}`;
  try {
    const driver = await openServer(url, 1);
    await driver.db.execute(sql`select 1`).finally(() => driver.close());
  } catch (error) {
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      if (one.message.startsWith("came ")) return one.message.slice("came ".length);
    }
    return codeOf(error);
  }
  return "in";
}

describe("sslmode", () => {
  const ours = `&sslrootcert=${CERTIFICATE}`;
  test.each([
    ["?sslmode=disable", "plain", "plain"],
    ["", "encrypted", "plain"],
    ["?sslmode=require", "encrypted", "ERR_SSL"],
    [`?sslmode=verify-ca${ours}`, "encrypted", "ERR_SSL"],
    [`?sslmode=verify-full${ours}`, "encrypted", "ERR_SSL"],
    ["?sslmode=verify-full&sslrootcert=system", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_SSL"],
  ])("%s: %s where the server has TLS, %s where it has none", async (parameters, withTls, without) => {
    expect(await came(true, parameters)).toBe(withTls);
    expect(await came(false, parameters)).toBe(without);
  });

  test.each([
    ["08P01", "SSL required", "tls_required"],
    ["08P01", "unsupported startup parameter: statement_timeout", "08p01"],
    ["28000", 'no pg_hba.conf entry for host "[local]", user "anna", database "memory", no encryption', "pg_hba"],
    ["28000", 'role "anna" does not exist', "28000"],
  ])("%s, %s: %s", (code, said, reason) => {
    const fault = asStorageFault(coded(Object.assign(new Error(said), { code })));
    expect(fault).toMatchObject({ code: "UNAVAILABLE", details: { reason: `database_${reason}` } });
  });

  test("verify-full wants the host that was named, verify-ca any", async () => {
    expect(await came(true, `?sslmode=verify-full${ours}`, "127.0.0.1")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await came(true, `?sslmode=verify-ca${ours}`, "127.0.0.1")).toBe("encrypted");
  });
});
