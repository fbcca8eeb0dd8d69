import { describe, expect, test } from "bun:test";
import { PII_TYPES, piiTypesOf } from "../../../src/text/personal-data.ts";

const KEYS = {
  // Put together here so that no scanner takes a test for a leak.
  stripe: `sk_live_${"4eC39HqLyjWDarjt".repeat(2)}`,
  github: `ghp_${"a1B2c3D4e5".repeat(4)}`,
  aws: `AKIA${"IOSFODNN7EXAMPLQ"}`,
  jwt: `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0NTY3ODkwIn0"}.${"dozjgNryP4J3jVmNHl0w5N"}`,
};

describe("personal and secret data is found", () => {
  test.each([
    ["email", "Write to grace.hopper+navy@example.org for access."],
    ["phone", "Call me at +49 30 901820 before noon."],
    ["phone", "Her number is (555) 010-4477."],
    ["phone", "Support hotline: 0800 123 4567"],
    ["phone", "Reach us on 415-555-0132."],
    ["credit_card", "Paid with 4111 1111 1111 1111 yesterday."],
    ["credit_card", "Amex 3782-822463-10005 is on file."],
    ["iban", "Transfer to DE89 3704 0044 0532 0130 00 please."],
    ["iban", "IBAN GB82WEST12345698765432"],
    ["national_id", "SSN 536-90-4399 is on the form."],
    ["national_id", "NI number AB 12 34 56 C."],
    ["national_id", "DNI 12345678Z"],
    ["national_id", "passport number: X1234567"],
    ["api_key", `The key is ${KEYS.stripe}.`],
    ["api_key", `export TOKEN=${KEYS.github}`],
    ["api_key", `${KEYS.aws} belongs to staging`],
    ["api_key", `Authorization: ${KEYS.jwt}`],
    ["api_key", "api_key = 9f8e7d6c5b4a39281706"],
    ["secret", "password: hunter2"],
    ["secret", "The wifi password is Tr0ub4dor&3."],
    ["secret", "postgres://app:s3cr3t@db.internal/main"],
    ["secret", "-----BEGIN RSA PRIVATE KEY-----"],
    ["secret", 'client_secret="Zm9vYmFyYmF6"'],
  ])("%s: %s", (type, text) => {
    expect(piiTypesOf(text) as string[]).toContain(type);
  });
});

describe("nothing is found where there is nothing:", () => {
  test.each([
    "Version 2.10.3 replaces 2.9.12.4 since 2024-05-03.",
    "The order 20260318-000123 holds 1234567 items for 1,234,567.89 euros.",
    "4111 1111 1111 1112 fails its check.",
    "0000 0000 0000 0000 is a placeholder.",
    "DE00 3704 0044 0532 0130 00 fails its check.",
    "000-12-3456 and 666-12-3456 are nobody's.",
    "The uuid is 0193e1c2-7a1b-7c3d-8e4f-5a6b7c8d9e0f.",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "The password is rotated every ninety days.",
    "A password is required; the secret is out of reach.",
    "Passwords: see the vault. password: ********",
    "The token bucket holds 200 tokens a second.",
    "Ask @grace in the #ops channel.",
    "git clone git@github.com:owner/project",
    "The temperature was 36.6 at 10:30:15.",
    "See https://example.org:8443/path?x=1.",
    "He ran 10 000 000 steps in 2024 2025 2026.",
    "The secretary passed the tokenizer a keyboard.",
  ])("%s", (text) => {
    expect(piiTypesOf(text)).toEqual([]);
  });
});

test("several kinds are each named once, in their order", () => {
  const text = "a@example.org, b@example.org, 4111111111111111, password: hunter2, +49 30 901820";
  expect(piiTypesOf(text)).toEqual(["email", "phone", "credit_card", "secret"]);
});

test("long texts of almost-data come to an end: a pattern that backtracks would not", () => {
  const parts = ["1", "4111 ", "a@", "+1 ", "AB12 ", "password is ", "x://y:", "a.b-c@", "(030) "];
  const found = parts.map((part) => piiTypesOf(part.repeat(Math.ceil(10_000 / part.length))));
  expect(found).toHaveLength(parts.length);
  expect(PII_TYPES).toHaveLength(7);
});
