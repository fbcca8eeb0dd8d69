import { expect, test } from "bun:test";
import { languageOf } from "../../../src/text/language.ts";

test.each([
  ["en", "We moved the server to Berlin."],
  ["de", "Der Server steht seit gestern in Berlin."],
  ["fr", "Nous avons déménagé le serveur hier."],
  ["es", "El servidor se mudó ayer a Madrid."],
  ["pt", "O servidor foi movido ontem para Lisboa."],
  ["it", "Il server della nostra squadra è stato spostato ieri."],
  ["nl", "De server staat sinds gisteren in Utrecht."],
  ["pl", "Serwer stoi od wczoraj w Warszawie."],
  ["tr", "Sunucu dün İstanbul'a taşındı ve çok hızlı."],
  ["sv", "Servern står i Stockholm sedan igår."],
  ["vi", "Chúng tôi đã chuyển máy chủ hôm qua."],
  ["zh", "我们用 PostgreSQL 数据库"],
  ["ja", "東京のサーバーを使う"],
  ["ko", "서버는 서울에 있습니다"],
  ["ru", "Сервер переехал вчера"],
  ["uk", "Сервер переїхав учора"],
  ["ar", "انتقل الخادم أمس"],
  ["ur", "سرور کراچی میں ہے"],
  ["hi", "सर्वर दिल्ली में है"],
  ["th", "เซิร์ฟเวอร์อยู่ที่โตเกียว"],
  ["el", "Ο διακομιστής είναι στην Αθήνα"],
] as const)("%s: %s", (language, text) => {
  expect(languageOf(text)).toBe(language);
});

test.each([
  "Version 2.3.4",
  "Servers: de, fr, es",
  "De La Cruz lives in Berlin",
  "3 mars 2024",
  "User prefers dark mode",
  "🚀🚀🚀",
  "",
])("'%s' tells none", (text) => {
  expect(languageOf(text)).toBeNull();
});

test("English with a name or a word of another language stays English", () => {
  expect(languageOf("We met Jürgen von der Heide at the café in São Paulo.")).toBe("en");
  expect(languageOf("The repository is called 東京 and is used by the team.")).toBe("en");
});
