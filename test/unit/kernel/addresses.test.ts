import { expect, test } from "bun:test";
import { databaseNamed, readDatabaseAddress, redirectTarget, urlOf } from "../../../src/core/kernel/address.ts";
import { readBounded, sentence } from "../../../src/core/kernel/text.ts";

test.each([
  ["postgres://db.internal:5433/cairn", [{ host: "db.internal", port: 5433 }]],
  [
    "postgres://one:5433,two/cairn?port=5432",
    [
      { host: "one", port: 5433 },
      { host: "two", port: 5432 },
    ],
  ],
  [
    "postgres://one,two/cairn?port=1,2",
    [
      { host: "one", port: 1 },
      { host: "two", port: 2 },
    ],
  ],
  ["postgres:///cairn?host=/var/run/pg", [{ host: "/var/run/pg", port: null }]],
  ["postgres:///cairn?port=6000", [{ host: "localhost", port: 6000 }]],
  ["postgres:///cairn", []],
])("the hosts of %s", (text, hosts) => {
  expect(readDatabaseAddress(text)?.hosts).toEqual(hosts);
});

test.each(["postgres://db:0/c", "postgres://db:65536/c", "postgres://db:70000/c", "postgres://d[b/c", "mysql://db/c"])(
  "%s is no address",
  (text) => expect(readDatabaseAddress(text)).toBeNull(),
);

test("where a reply leads is shown without what is secret in it", () => {
  const target = (location: string | null, status = 302) =>
    redirectTarget({ status, headers: new Headers(location === null ? {} : { location }) }, "http://a.example/x");
  expect(target("https://me:secret@b.example/y?key=secret")).toBe("https://b.example/y");
  expect(target("/z")).toBe("http://a.example/z");
  for (const unread of [null, "http://["]) expect(target(unread)).toBe("an address that cannot be read");
  expect(target("/z", 200)).toBeNull();
});

test("a body is read up to its bound, and no further", async () => {
  let pieces = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull: (stream) => {
        pieces++;
        if (pieces > 100) stream.close();
        else stream.enqueue(new TextEncoder().encode("é"));
      },
    });
  expect(await readBounded({ body: body() }, 9)).toBeNull();
  expect(pieces).toBeLessThan(10);
  expect(await readBounded(new Response("é".repeat(5)), 10)).toBe("é".repeat(5));
  expect(await readBounded({ body: null }, 0)).toBe("");
});

test.each([
  ["Too short", "Too short."],
  ["Too short.. ", "Too short."],
  ["Did you mean 'query'?.", "Did you mean 'query'?"],
  ["Why?", "Why?"],
  ["", "."],
  ["...", "."],
])("%p ends as a sentence", (text, expected) => expect(sentence(text)).toBe(expected));

test("a database is named without its password, with its hosts as an address has them", () => {
  expect(readDatabaseAddress("postgres://me:p%40ss@db/cairn")).toMatchObject({ user: "me", password: "p@ss" });
  expect(readDatabaseAddress("postgres://db/cairn")).toMatchObject({ user: null, password: null });
  expect(databaseNamed("postgres://me:secret@db:5433,[::1]:6000,other/cairn")).toBe(
    "postgres://me@db:5433,[::1]:6000,other/cairn",
  );
  expect(databaseNamed("postgres:///cairn")).toBe("postgres://localhost/cairn");
  expect(databaseNamed("no address")).toBe("");
});

test.each([
  ["0.0.0.0", "http://127.0.0.1:80"],
  ["::", "http://[::1]:80"],
  ["localhost", "http://127.0.0.1:80"],
  ["10.0.0.7", "http://10.0.0.7:80"],
])("a server that listens on %s is reached at %s from its machine", (host, url) => expect(urlOf(host, 80)).toBe(url));
