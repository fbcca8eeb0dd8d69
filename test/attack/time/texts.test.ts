import { expect, setDefaultTimeout, test } from "bun:test";
import { extractEntities } from "../../../src/entities/extract.ts";
import { actionsOf } from "../../../src/forge/actions.ts";
import { outcomesOf } from "../../../src/forge/outcome.ts";
import { intentOf } from "../../../src/forge/wording/intent.ts";
import { observationOf, relationOf } from "../../../src/formats/foreign/note-items.ts";
import { paragraphsOf } from "../../../src/formats/foreign/shared/paragraphs.ts";
import { blocksOf } from "../../../src/formats/markdown/blocks.ts";
import { partFrontMatter } from "../../../src/formats/markdown/front-matter.ts";
import { readSections } from "../../../src/formats/markdown/own-project.ts";
import { subjectOf } from "../../../src/formats/markdown/subject.ts";
import { enrich } from "../../../src/memories/enrichment/enrich.ts";
import { gitSettings } from "../../../src/projects/folder/git-config.ts";
import { remoteOf, remoteUrlIn } from "../../../src/projects/folder/remote.ts";
import { factsOf } from "../../../src/text/llm/facts.ts";
import { readValues } from "../../../src/text/values/read.ts";
import { indexTerms } from "../../../src/text/words/index-terms.ts";
import { splitSentences } from "../../../src/text/words/sentences.ts";
import { tokenize } from "../../../src/text/words/tokenize.ts";
import { isBinary } from "../../support/app.ts";
import { growsOnly, repeated, UNITS } from "./growth.ts";

/** Of the sources: the executable is made of them. Against a hang alone. */
setDefaultTimeout(1_200_000);

/** Beyond the length from which the runtime matches in another, slower way. */
const LENGTH = 10_000;
const NOW = Date.parse("2026-11-29T12:00:00Z");

/** Whatever reads a text of others as a whole. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "a memory, as it is written": (text) => enrich(text, { reference: NOW }),
  "names in a memory": extractEntities,
  "words of a memory": indexTerms,
  "tokens of a memory": tokenize,
  "sentences of a memory": splitSentences,
  "values of a memory": (text) => readValues(text, NOW),
  "facts of a model's answer": factsOf,
  "actions of a trace": actionsOf,
  "outcomes of a trace": outcomesOf,
  "what a trace wants": intentOf,
  "a note of Markdown": (text) => [...blocksOf(text)],
  "the front matter of a note": (text) => partFrontMatter(`---\n${text}`),
  "closed front matter of a note": (text) => partFrontMatter(`---\na: ${text}\n---\n`),
  "a file of an export": (text) => readSections(text, 1),
  "a heading of a note": (text) => subjectOf([text], "text", "2026-11-29T12:00:00Z"),
  "a line of a foreign note": (text) => [observationOf(`- ${text}`), relationOf(text)],
  "paragraphs of a foreign note": (text) => paragraphsOf(text),
  "a git configuration": (text) => [...gitSettings(text)],
  "a remote of a git configuration": (text) => remoteUrlIn(`[remote "origin"]\nurl = ${text}`),
  "a remote by one spelling": (text) => [remoteOf(text, "/base"), remoteOf(`https://host/${text}`, "/base")],
};

test.skipIf(isBinary).each(Object.entries(READERS))(
  "the time of %s grows as the text does, whatever it is made of",
  (_what, read) => {
    const slow = UNITS.flatMap((unit) =>
      (["", "x "] as const).flatMap((begin) =>
        ["", "\n\nend"]
          .filter((end) => !growsOnly(read, repeated(unit, begin, end), LENGTH))
          .map((end) => JSON.stringify([begin, unit, end])),
      ),
    );
    expect(slow).toEqual([]);
  },
);
