import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { wordsIn } from "../../../src/text/words/terms.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(app.stop);
const api = memoriesApi(app.client);

/** Rows of many languages, each with questions that find it by its words alone, and by those of no other row. */
const ROWS: readonly (readonly [row: string, ...questions: string[]])[] = [
  [
    "Die Produktionsdatenbank läuft seit März in Frankfurt.",
    "Datenbank",
    "Datenbanken",
    "produktion",
    "PRODUKTIONSDATENBANK",
  ],
  ["Das Haus am See wird im Herbst gestrichen.", "Häuser", "Haeuser", "wem gehören die Häuser?"],
  ["Für die Rückerstattung ist Frau Öztürk zuständig.", "Rueckerstattung", "rückerstattungen", "erstattung"],
  ["Die Schlüssel liegen in der Straße hinter dem Rathaus.", "strasse", "Straßen", "schluessel", "Schlussel"],
  ["De zorgverzekering loopt via het kantoor in Utrecht.", "verzekering", "verzekeringen", "kantoren"],
  ["Los servidores se reinician cada domingo por la noche.", "servidor", "¿cuándo se reinicia el servidor?"],
  ["Le déploiement des applications est fait le jeudi par Chloé.", "déploiements", "deploiement", "une application"],
  ["I biglietti del treno sono nella cartella condivisa.", "biglietto", "cartelle condivise"],
  ["As impressoras do segundo andar estão sem toner.", "impressora", "qual impressora está sem toner?"],
  ["Сервер базы данных стоит в подвале, ключи у Фёдора.", "серверы", "где базы данных?", "федор", "подвалы"],
  ["Сервіс оплати перенесли на нові вузли.", "сервіси", "вузол оплати"],
  ["Nycklarna till verkstaden ligger i lådan.", "verkstäder", "nyckel till verkstad"],
  ["Palvelimet käynnistetään uudelleen sunnuntaisin.", "palvelimen", "palvelimella"],
  ["Sunucular her pazar yeniden başlatılır.", "sunucu", "sunuculardan", "baslatilir"],
  ["A szerverek minden vasárnap újraindulnak.", "szerver", "szervert"],
  ["Ο διακομιστής βρίσκεται στο υπόγειο.", "διακομιστές", "διακομιστης", "υπογειο", "ΥΠΌΓΕΙΟ"],
  ["المكتبات مغلقة يوم الجمعة", "المكتبة", "مكتبات", "الجُمُعَة"],
  ["הגיבוי של השרתים רץ בלילה", "שרתים", "גיבוי", "בַּלַּיְלָה"],
  ["किताबें अलमारी में रखी हैं।", "किताब", "किताबों"],
  ["Đường hầm đóng cửa vào chủ nhật.", "duong ham", "Đường"],
  ["Łódź ma nowy serwer kopii zapasowych.", "lodz", "ŁÓDŹ"],
  ["Nøglerne ligger i skuffen på kontoret.", "noglerne", "nøgle", "kontorer"],
  ["發票由財務部門每月寄出。", "发票", "財務", "财务部门"],
  ["新版本周五发布到生产环境。", "發佈", "发布", "生產環境"],
  ["打ち合わせは毎週木曜日の午後です。", "木曜日", "打ち合わせ"],
  ["회의는 매주 목요일 오후에 합니다.", "목요일"],
  ["ประชุมทุกวันพฤหัสบดี", "พฤหัสบดี"],
  ["🚀🚀🚀🚀🚀 🎉🎉🎉🎉🎉", "🚀", "🎉🚀"],
  ["Ship it on Friday 👍🏽 and tell Wanda.", "👍", "👍🏿"],
  ["Trip to 🇵🇹 in May ☀️", "🇵🇹", "☀"],
  ["The nightly backup runs at four. Der Schlüsselbund hängt in der Werkstatt.", "schlüsselbunde", "backups"],
];

/** Beside them: rows that hold none of what is asked for. */
const OTHERS = [
  "A plain quokka.",
  "🔥🔥🔥🔥🔥 ✅✅✅✅✅",
  "The capercaillie sleeps.",
  "🇪🇸 is far.",
  "Ein Okapi frisst Blätter.",
];

beforeAll(async () => {
  for (const content of [...OTHERS, ...ROWS.map(([content]) => content)]) await api.write({ content });
  await app.settle();
});

/** The share of the words of a question that each row holds. */
async function held(query: string): Promise<Map<string, number>> {
  const { items } = await api.search(query, { top_k: 20 });
  return new Map(items.map(({ content, score_parts }) => [content, score_parts?.fts_score ?? 0]));
}

describe.each(ROWS.map(([row, ...questions]) => ({ row, questions })))("$row", ({ row, questions }) => {
  test.each(questions)("is found by %p", async (question) => {
    const found = await held(question);
    const best = [...found].sort(([, a], [, b]) => b - a)[0];
    expect([best?.[0], (found.get(row) ?? 0) > 0.3]).toEqual([row, true]);
  });

  test("is found by each of its words", async () => {
    for (const word of wordsIn(row).filter((one) => /[\p{L}\p{N}]/u.test(one)))
      expect([word, ((await held(word)).get(row) ?? 0) > 0]).toEqual([word, true]);
  });
});

test("a row with the word itself goes before one that has it within another", async () => {
  await api.write({ content: "Der Kalender hängt im Besprechungsraum." });
  await api.write({ content: "Der Raum ist kalt." });
  const found = await held("Raum");
  expect(found.get("Der Raum ist kalt.")).toBe(1);
  const within = found.get("Der Kalender hängt im Besprechungsraum.") ?? 0;
  expect(within).toBeGreaterThan(0.8);
  expect(within).toBeLessThan(1);
});

test("a document is found by the forms of its words", async () => {
  const documents = documentsApi(app.client);
  await documents.put("notizen", "eins", { summary: "Die Lohnabrechnung macht Frau Weiß." });
  await documents.put("notizen", "zwei", { summary: "Ein Okapi frisst Blätter." });
  await app.settle();
  const found = await documents.search("Abrechnungen", { collection: "notizen" });
  expect(found.items[0]?.doc_id).toBe("eins");
});
