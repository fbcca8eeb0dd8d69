import { describe, expect, test } from "bun:test";
import { splitClauses } from "../../../../src/text/claims/clauses.ts";
import { tokenize } from "../../../../src/text/claims/lexer.ts";
import { type ParsedClause, parseText } from "../../../../src/text/claims/parse.ts";
import { canonical } from "../../../../src/text/lexicon/synonyms.ts";
import { stem } from "../../../../src/text/words/stem.ts";

/** A Wednesday. */
const REFERENCE_MS = Date.UTC(2025, 4, 7, 12);

const partsOf = (text: string): readonly ParsedClause[] => parseText(text, REFERENCE_MS).parts;

function firstPart(text: string): ParsedClause {
  const [part] = partsOf(text);
  if (part === undefined) throw new Error("A text without a part.");
  return part;
}

function piecesOf(text: string): string {
  const { tokens, parts } = parseText(text, REFERENCE_MS);
  const words = ({ from, to }: { from: number; to: number }) =>
    tokens
      .slice(from, to)
      .map(({ text: word }) => word)
      .join(" ");
  return parts
    .map(({ subject, verbs, complement }) => [subject, verbs, complement].map(words).join(" | "))
    .join(" ++ ");
}

describe("tokens", () => {
  test.each([
    ["Ravi's flat isn't big", ["ravi", "flat", "is", "not", "big"]],
    ["we can't, she won't", ["we", "can", "not", ",", "she", "will", "not"]],
    ["it's 3pm", ["it", "is", "3", "pm"]],
    ["HX-4711 runs v2.4.0", ["hx-4711", "runs", "v2.4.0"]],
    ["a@b.example and C++", ["a@b.example", "and", "c++"]],
    ["below −18 °C", ["below", "−18", "°", "c"]],
    ["2025-06-03 at 15:00", ["2025-06-03", "at", "15:00"]],
  ])("of '%s'", (text, tokens) => expect(tokenize(text).map(({ lower }) => lower)).toEqual(tokens));

  test("keep their place in the text", () => {
    const text = "Ravi's flat isn’t big.";
    for (const { start, end, possessive, text: word } of tokenize(text)) {
      if (!possessive && word !== "not" && word !== "is") expect(text.slice(start, end)).toBe(word);
    }
  });
});

describe("stems", () => {
  test.each([
    "moved moving moves move",
    "studied studies study",
    "stopped stopping stop",
    "paid pays paying",
    "led lead leads",
    "boxes box",
    "children child",
    "used using uses use",
  ])("'%s' are one", (forms) => expect(new Set(forms.split(" ").map((form) => stem(form))).size).toBe(1));

  test.each([
    ["db", "database"],
    ["prod", "production"],
    ["deployment", "deploy"],
    ["sponsorship", "sponsor"],
    ["migration", "migrate"],
    ["favourite", "preferred"],
  ])("%s and %s mean the same", (one, other) => expect(canonical(stem(one))).toBe(canonical(stem(other))));

  test.each([
    ["plant", "plane"],
    ["red", "read"],
    ["staging", "production"],
  ])("%s and %s do not", (one, other) => expect(canonical(stem(one))).not.toBe(canonical(stem(other))));
});

describe("clauses", () => {
  test.each([
    ["Ines left the bakery and works at a bank.", "Ines | left | the bakery ++ Ines | works | at a bank"],
    ["Karim and Lucia got married.", "Karim and Lucia | got married | "],
    ["Harbour depot: 12 rooms", "Harbour depot | : | 12 rooms"],
    ["log_level = debug", "log_level | = | debug"],
    ["It turns out that the train leaves from platform 9.", "the train | leaves | from platform 9"],
    ["Correction: the speaker is Mei.", "the speaker | is | Mei"],
    ["Reads from the store are cheap.", "Reads from the store | are | cheap"],
    ["The import job was resumed.", "The import job | was resumed | "],
    ["The rehearsal got pushed to 9 March.", "The rehearsal | got pushed | to 9 March"],
    ["Hugo decided not to study medicine.", "Hugo | decided not to study | medicine"],
    ["Backups of the worker run every hour.", "Backups of the worker | run | every hour"],
    ["[2026-01-13] The pool is closed.", "The pool | is closed | "],
  ])("of '%s'", (text, pieces) => expect(piecesOf(text)).toBe(pieces));

  test("an initial or a title ends no sentence", () => {
    expect(splitClauses(tokenize("Dr. Yara K. Weber is our dentist."))).toHaveLength(1);
  });
});

describe("negation", () => {
  test.each([
    ["Omar does not eat meat.", true],
    ["Nobody may merge on Fridays.", true],
    ["The cabin has no heating.", true],
    ["We no longer take notes.", true],
    ["Tamsin quit smoking.", true],
    ["The cake is free of nuts.", true],
    ["Fog keeps the ferry from sailing.", true],
    ["Fog does not keep the ferry from sailing.", false],
    ["It is not only cheap.", false],
    ["She eats bread and nothing else.", false],
    ["Nobody disputes that the bridge is open.", false],
    ["It turned out to be wrong that the bridge is open.", true],
    ["The claim that the bridge is open is false.", true],
    ["The estimate is 17 points, not 20.", false],
    ["The box is not in the hall but in the pantry.", false],
  ])("'%s': %p", (text, negated) => expect(firstPart(text).negated).toBe(negated));

  test("a clause that calls off the one before turns it round", () => {
    expect(
      partsOf("Takumi guessed that the fee is 16 euros, but that is wrong.").map(({ negated }) => negated),
    ).toEqual([true]);
  });

  test("what is set aside is no value of the clause", () => {
    const part = firstPart("The estimate is 17 points, not 20.");
    expect(part.values.map(({ amount }) => amount)).toEqual([17]);
    expect(part.aside.values.map(({ amount }) => amount)).toEqual([20]);
  });
});

describe("modality", () => {
  test.each([
    ["The office is in Leeds.", "asserted"],
    ["The API may be called twice.", "asserted"],
    ["Guests may bring dogs.", "asserted"],
    ["Emma asked for tea.", "asserted"],
    ["Emma would like tea.", "asserted"],
    ["Is the office in Leeds?", "asked"],
    ["Maybe the office is in Leeds.", "supposed"],
    ["If the office is in Leeds, call.", "supposed"],
    ["The office could move.", "supposed"],
    ["There are rumours that the office moves.", "reported"],
    ["Jan thinks the vendor is unreliable.", "reported"],
    ["Somebody asked whether the fee is 15 euros.", "reported"],
    ["Luc dreamed that the office is in Leeds.", "reported"],
    ["The office will move.", "planned"],
    ["Hugo is going to study.", "planned"],
    ["The Gold plan costs 12 euros.", "asserted"],
  ])("'%s': %s", (text, modality) => expect(firstPart(text).modality).toBe(modality as ParsedClause["modality"]));

  test("what hangs on a condition is supposed too", () => {
    expect(partsOf("Unless it is renewed, the contract ends in May.").map(({ modality }) => modality)).toEqual([
      "supposed",
      "supposed",
    ]);
  });
});

describe("change", () => {
  test.each([
    ["Rent went up to 1,240 euros.", true],
    ["Anna moved to Bergen.", true],
    ["The team is down to five people.", true],
    ["Latency climbs in the evening.", false],
    ["The index is updated every hour.", false],
    ["Anna lives in Bergen.", false],
  ])("'%s': %p", (text, changes) => expect(firstPart(text).changes).toBe(changes));
});

test("a pronoun stands for the subject of the clause before", () => {
  const [, second] = partsOf("The staging database is new. It runs on Linux.");
  expect(second?.words.some(({ key }) => key === canonical(stem("database")))).toBe(true);
});

test("the name of who speaks stands for who says I", () => {
  expect(firstPart("Luca: I drink coffee.").words.map(({ key }) => key)).toContain("luca");
});
