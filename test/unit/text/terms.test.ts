import { describe, expect, test } from "bun:test";
import { indexedWords, namedTerms, STOP_WORDS, significantTerms, termsOf } from "../../../src/text/words/terms.ts";
import { NEWCOMERS, WORLDS } from "../../relevance/sets.ts";

describe("the words of a text", () => {
  test.each<readonly [script: string, text: string, terms: readonly string[]]>([
    ["Chinese", "数据库备份", ["数据", "据库", "库备", "备份"]],
    ["Japanese, whatever its syllables", "東京のビール", ["东京", "京の", "のビ", "ビー", "ール"]],
    ["Thai, marks beside their letters", "ที่สุด", ["ที่สุ", "สุด"]],
    ["Korean, particles off", "서버는", ["서버", "버는"]],
    ["two scripts", "Redis服务器v2", ["redis", "服务", "务器", "v2"]],
    ["letters beyond the first plane", "𠮷野家", ["𠮷野", "野家"]],
    ["one letter", "猫", ["猫"]],
  ])("are pieces of two letters in %s", (_, text, terms) => {
    expect(termsOf(text)).toEqual([...terms]);
  });

  test("stand in the index with the last letter once more, so that each letter begins a piece", () => {
    expect(indexedWords("备份好，猫 ok").trim().split(/\s+/)).toEqual(["备份", "份好", "好", ",", "猫", "ok"]);
  });

  test("are one for two ways to write them", () => {
    expect(termsOf("Straße STRASSE œuvre Oeuvre Ærø ﾃﾞｰﾀ データ")).toEqual([
      "strasse",
      "oeuvre",
      "aero",
      "デー",
      "ータ",
    ]);
  });
});

describe("the significant terms of a question", () => {
  test.each<readonly [query: string, terms: readonly string[]]>([
    ["Was will die Buchhaltung an die Not-Hotline melden?", ["buchhaltung", "not", "hotline", "melden"]],
    ["Wo ist der Schlüssel für die Straße?", ["schlüssel", "strasse"]],
    ["¿Quién firma las facturas de once mil?", ["firma", "facturas", "once", "mil"]],
    ["Qui est responsable du but et de l'or ?", ["responsable", "but", "or"]],
    ["Où est ma clé ?", ["clé"]],
    ["Où se trouve l'ancien mot ?", ["trouve", "ancien", "mot"]],
    ["ou est la cle du serveur", ["cle", "serveur"]],
    ["データベースはどこですか", ["デー", "ータ", "タベ", "ベー", "ース", "スは", "はど", "こで"]],
    ["什么是备份", ["么是", "是备", "备份"]],
  ])("leave out the stop words of its own language alone: %s", (query, terms) => {
    expect(significantTerms(query)).toEqual([...terms]);
  });

  test.each([
    ["Who directed Das Boot", ["directed", "das", "boot"]],
    ["When did the plant die?", ["plant", "die"]],
    ["Is La Traviata on?", ["la", "traviata"]],
    ["locales en de es", ["locales", "en", "de", "es"]],
    ["De La Soul", ["de", "la", "soul"]],
    ["Müller", ["müller"]],
  ])("are English where that is unsure: %s", (query, terms) => {
    expect(significantTerms(query)).toEqual(terms);
  });

  test.each([
    ["What is the port of the staging database, and who may open it?", ["port", "staging", "database", "open"]],
    ["Where did we put those backups before the move?", ["put", "backups", "move"]],
    ["How does it handle what was not yet written?", ["handle", "yet", "written"]],
    ["Is the son of Mark at the art show?", ["son", "mark", "art", "show"]],
    [
      "Which of them has more to do with us than you?",
      ["which", "of", "them", "has", "more", "to", "do", "with", "us", "than", "you"],
    ],
  ])("are what an English question is about, or all of it where it is about nothing: %s", (query, terms) => {
    expect(significantTerms(query)).toEqual(terms);
  });

  const english = [
    ...WORLDS.flatMap(({ queries, unanswerable }) => [...queries, ...unanswerable].map(({ query }) => query)),
    ...NEWCOMERS.flatMap(({ questions }) => questions.map(({ query }) => query)),
  ];
  test("of every English question on file are those that are no English stop words: none is taken for another language", () => {
    expect(english.length).toBeGreaterThan(300);
    for (const query of english) {
      const telling = termsOf(query).filter((word) => !STOP_WORDS.has(word));
      expect(significantTerms(query)).toEqual(telling.slice(0, 30));
    }
  });

  test("are at most thirty pieces of a long one, from all of it, words first and grammar last", () => {
    const nouns = "東京大阪京都奈良神戸横浜名古屋札幌仙台広島福岡長崎熊本鹿児島沖縄金沢";
    const terms = significantTerms(`${nouns}の中のhetznerに ${nouns.split("").toReversed().join("")} をしたい`);
    expect(terms).toHaveLength(30);
    expect(terms[0]).toBe("hetzner");
    expect(terms).toContain("东京");
    expect(terms).toContain("大京");
    expect(terms.filter((term) => /\p{sc=Hira}/u.test(term))).toEqual([]);
  });

  test("are spelled alike where the query writes them as names", () => {
    expect(namedTerms("Herr Strauß im Juli")).toEqual(new Set(["strauss", "juli"]));
  });
});
