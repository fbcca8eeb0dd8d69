import { expect, setDefaultTimeout, test } from "bun:test";
import { join, resolve } from "node:path";
import { isBinary } from "../../support/app.ts";
import { growsOnly, repeated, UNITS } from "./growth.ts";
import { literalsIn } from "./regex-literals.ts";

/** Of the sources: the executable is made of them. Against a hang alone. */
setDefaultTimeout(1_200_000);

const SRC = resolve(import.meta.dir, "../../../src");

/** Of a short text, in which a square of it shows. */
const LENGTH = 4_000;

/** Where each expression stands, by its own text. */
const expressions = new Map<string, { readonly form: RegExp; readonly file: string }>();

for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(SRC)) {
  const loader = file.endsWith("x") ? "tsx" : "ts";
  const code = new Bun.Transpiler({ loader }).transformSync(await Bun.file(join(SRC, file)).text());
  for (const { source, flags } of literalsIn(code)) keep(new RegExp(source, flags), file);
}
await withConstructed();

function keep(form: RegExp, file: string): void {
  if (!expressions.has(String(form))) expressions.set(String(form), { form, file });
}

/** Those that are put together when a file is loaded: all of the rooms that read what others wrote. */
async function withConstructed(): Promise<void> {
  const real = globalThis.RegExp;
  let now = "";
  globalThis.RegExp = new Proxy(real, {
    construct(target, words: [string, string?]) {
      const form = new target(...words);
      if (new Error().stack?.includes(SRC)) keep(form, now);
      return form;
    },
  });
  try {
    for (const file of new Bun.Glob("{text,entities,memories,search,conflicts,forge,skills,formats}/**/*.ts").scanSync(
      SRC,
    )) {
      if (file.endsWith("worker.ts")) continue;
      now = file;
      await import(join(SRC, file));
    }
  } finally {
    globalThis.RegExp = real;
  }
}

/** Letters and marks that an expression names: what gets it started, and what keeps it going. */
function unitsOf(source: string): string[] {
  const words = source
    .replace(/\\[bBdDwWsS]|\\[pP]\{[^}]*\}|\\u\{?[0-9a-f]*\}?|\[[^\]]*\]|\(\?(?:[:=!]|<[=!])/gi, "\0")
    .split(/[\0()|?*+{}^$.]+/)
    .map((word) => word.replace(/\\(.)/g, "$1"))
    .filter((word) => word !== "");
  const some = [...new Set(words)].slice(0, 10);
  return [...UNITS, ...some.flatMap((word) => [word, `${word} `, ` ${word} `, `${word}a`])];
}

/** What an expression must begin with, so that a text gets that far. */
const beginningOf = (source: string): string =>
  (/^\^?(?:\\b)?((?:[\w <"'=:`-]|\\[/.\-[({"`])+)/.exec(source)?.[1] ?? "").replace(/\\(.)/g, "$1");

const uses = (form: RegExp) => (text: string) => {
  form.lastIndex = 0;
  return form.global ? text.replace(form, "") : form.test(text);
};

test.skipIf(isBinary)(
  "no regular expression of the program takes more time than in proportion to a text, whatever the text is made of",
  () => {
    expect(expressions.size).toBeGreaterThan(900);
    const slow = [...expressions.values()].flatMap(({ form, file }) => {
      const begins = [...new Set(["", "x", beginningOf(form.source)])];
      for (const unit of unitsOf(form.source))
        for (const begin of begins)
          for (const end of ["", "\n\u0001"])
            if (!growsOnly(uses(form), repeated(unit, begin, end), LENGTH))
              return [`${file}: ${form} at ${JSON.stringify([begin, unit, end])}`];
      return [];
    });
    expect(slow).toEqual([]);
  },
);
