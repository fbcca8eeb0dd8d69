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

describe("data of other countries is found", () => {
  test.each([
    ["email", "Почта: анна.иванова@пример.рф"],
    ["email", "邮箱是anna@example.org，请联系。"],
    ["phone", "Ruf an: +49 (0)30 / 901820"],
    ["phone", "Depuis l'étranger : 0033 1 42 68 53 00"],
    ["phone", "Téléphone : 01 42 68 53 00"],
    ["phone", "Teléfono: 912 345 678"],
    ["phone", "电话：010-12345678"],
    ["phone", "手机号码是13812345678"],
    ["phone", "電話番号は03-1234-5678です"],
    ["phone", "携帯：０９０－１２３４－５６７８"],
    ["phone", "Телефон: 8 (495) 123-45-67"],
    ["phone", "هاتف: ٠١٢٣٤٥٦٧٨٩"],
    ["iban", "FR14 2004 1010 0505 0001 3M02 606"],
    ["iban", "NL91 ABNA 0417 1643 00"],
    ["iban", "BR18 0036 0305 0000 1000 9795 493C 1"],
    ["iban", "NO93 8601 1117 947"],
    ["national_id", "NIE X1234567L"],
    ["national_id", "NIR 2 55 08 14 168 025 38"],
    ["national_id", "CPF 529.982.247-25"],
    ["national_id", "CPF: 52998224725"],
    ["national_id", "身份证号11010519491231002X"],
    ["national_id", "PESEL: 44051401359"],
    ["national_id", "T.C. kimlik no: 10000000146"],
    ["national_id", "Codice fiscale RSSMRA85T10A562S"],
    ["national_id", "Haar BSN is 111222333."],
    ["national_id", "NIF: 123456789"],
    ["national_id", "Steuer-ID 86 095 742 719"],
    ["national_id", "Rentenversicherung 15 070649 C 103"],
    ["national_id", "СНИЛС 112-233-445 95"],
    ["national_id", "ИНН 500100732259"],
    ["national_id", "паспорт 45 08 № 123456"],
    ["national_id", "マイナンバー：1234-5678-9018"],
    ["national_id", "주민등록번호 900101-1234568"],
    ["national_id", "Aadhaar 2341 2341 2346"],
    ["national_id", "आधार: २३४१ २३४१ २३४६"],
    ["national_id", "PAN: ABCPD1234E"],
    ["iban", "my iban is de89370400440532013000."],
    ["iban", "de89 3704 0044 0532 0130 00 please"],
    ["iban", "ab12 word here de89 3704 0044 0532 0130 00"],
    ["phone", "手机号：13812345678"],
    ["phone", "我的电话是13812345678"],
    ["phone", "tél. 06 12 34 56 78"],
    ["phone", "Tél. 26.12.34.56"],
    ["phone", "携帯電話は09012345678です"],
    ["phone", "رقم الهاتف: 0501234567"],
    ["phone", "फोन नंबर 9876543210"],
    ["phone", "Номер телефона: 8 (495) 123-45-67"],
    ["phone", "Mon portable est le 06 12 34 56 78"],
    ["phone", "Mi móvil es el 612 345 678"],
    ["phone", "Handynummer ist 0170 1234567"],
    ["phone", "Tlf. +34 612 345 678"],
    ["phone", "+298 123 456"],
    ["secret", "Passwort: hunter2"],
    ["secret", "mot de passe : s3same"],
    ["secret", "密码：hunter2"],
    ["secret", "пароль: qwerty123"],
  ])("%s: %s", (type, text) => {
    expect(piiTypesOf(text) as string[]).toContain(type);
  });
});

describe("and nothing in other countries where there is nothing:", () => {
  test.each([
    "CPF 529.982.247-26 fails its check.",
    "Bestellung 52998224725 vom 3. Mai",
    "订单号110105194912310021",
    "订单号11010519491331002X",
    "Sipariş 10000000146 yolda.",
    "Zamówienie 44051401359",
    "PESEL: 44051401358",
    "BSN 111222334",
    "Bestelling 111222333",
    "Artigo 123456789",
    "NIF: 123456780",
    "Steuer-ID 86 095 742 718",
    "СНИЛС 112-233-445 96",
    "ИНН 500100732258",
    "マイナンバー：1234-5678-9019",
    "注文番号1234-5678-9018",
    "900101-1234567",
    "991301-1234563",
    "Aadhaar 2341 2341 2347",
    "Order 2341 2341 2346",
    "RSSMRA85T10A562T",
    "NIE X1234567M",
    "FR14 2004 1010 0505 0001 3M02 607",
    "ZZ14 2004 1010 0505 0001 3M02 606",
    "Telefonkonferenz am 03.05.2024 10:00",
    "电话会议 2024-05-03 10:00",
    "Телефонный звонок 03.05.2024",
    "Passwort: siehe Tresor",
    "Telefon: 192.168.178.21",
    "The hex dump: 0010 4865 6c6c 6f20.",
    "The hex dump: 0049 4865 1234 6c6c.",
    "Bug 0049-1234-5678",
    "+100 000 000 bytes",
    "+12.345.678 Zeilen",
    "+20.000.000 Zeilen",
    "手机 20241130 已发布",
    "手机1234567台",
    "密码：至少8位",
    "Passwort: mindestens-8-Zeichen",
    "Passwort: {{vault_db1}}",
    "Invoice DE89370400440532013000x",
    "no12 word here some1 2345678",
    "密码：请看保险箱",
    "Die Version 0049 1234567890 ist ein Code",
    "Le total est 1 234 567,89 euros.",
    "Die Rechnung 2024-000123 über 1.234.567,89 Euro",
    "@анна написала в канал",
  ])("%s", (text) => {
    expect(piiTypesOf(text)).toEqual([]);
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
  const parts = [
    "1",
    "4111 ",
    "a@",
    "+1 ",
    "AB12 ",
    "password is ",
    "x://y:",
    "a.b-c@",
    "(030) ",
    "анна@",
    "а",
    "+49 30/",
    "Tel 1",
    "CPF ",
    "密码：",
    "٣ ",
  ];
  const found = parts.map((part) => piiTypesOf(part.repeat(Math.ceil(10_000 / part.length))));
  expect(found).toHaveLength(parts.length);
  expect(PII_TYPES).toHaveLength(7);
});
