import { describe, expect, test } from "bun:test";
import { isAddress, isLoopback, urlOf } from "../../../src/core/kernel/address.ts";

describe("only this machine is reached by", () => {
  test.each(["localhost", "127.0.0.1", "127.255.0.3", "::1", "[::1]"])("%s", (host) => {
    expect(isLoopback(host)).toBe(true);
  });
});

describe("others may be reached by", () => {
  test.each([
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "example.org",
    "localhost.example.org",
    "127.0.0.1.example.org",
    "127.0.0",
    "",
  ])("'%s'", (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe("an address, that nobody can point elsewhere, is", () => {
  test.each(["127.0.0.1", "10.20.30.40", "0.0.0.0", "[::1]", "[2001:DB8::7]", "[::ffff:10.0.0.1]"])("%s", (host) => {
    expect(isAddress(host)).toBe(true);
  });
});

describe("a name is", () => {
  test.each(["example.org", "1.2.3", "1.2.3.4.example.org", "1.2.3.4.5", "0x7f.1", "[evil]", "::1", "x[::1]", ""])(
    "'%s'",
    (host) => {
      expect(isAddress(host)).toBe(false);
    },
  );
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:8000"],
  ["localhost", "http://127.0.0.1:8000"],
  ["::1", "http://[::1]:8000"],
  ["0.0.0.0", "http://127.0.0.1:8000"],
  ["::", "http://[::1]:8000"],
])("a server that listens on %s is called at %s", (host, url) => {
  expect(urlOf(host, 8000)).toBe(url);
});
