import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "../../../support/command-line.ts";
import { cairnIn } from "../../../support/command-line.ts";
import type { Place } from "../places.ts";
import type { Act, Answer, Door, House } from "./door.ts";
import { QUERY, ruleOf } from "./door.ts";

const answerOf = ({ out, err, code }: Ran): Answer => ({ said: `${out}\n${err}`, isRefused: code !== 0 });

/** A person's commands, run in the folder. */
export function commandLine({ data }: House): Door & { setRule(place: Place, name: string): Promise<Answer> } {
  const run = async ({ folder }: Place, ...words: readonly string[]) => answerOf(await cairnIn(data, folder)(words));
  const as =
    (...words: readonly string[]): Act =>
    (place) =>
      run(place, ...words);
  return {
    setRule: (place, name) => run(place, "keystones", "set", name, ruleOf(place)),
    acts: {
      write: (place, text) => run(place, "add", text),
      search: as("search", QUERY, "--all", "--top", "20", "--json"),
      recall: as("recall", QUERY, "--min-score", "0", "--top", "20", "--json"),
      list: as("list", "--limit", "50", "--json"),
      keystones: as("keystones", "list"),
      export: as("export", "-"),
      forget: (place, text) => run(place, "forget", "--match", text, "--yes", ...scopeOf(place)),
    },
  };
}

/** What is to be erased is named, wherever one stands. */
const scopeOf = ({ standing }: Place): string[] =>
  typeof standing === "object" ? ["--project", standing.project] : ["--no-scope"];

/** `cairn import`, run in the folder, of a file that lies elsewhere. */
export const importing = ({ data }: House): Door => ({
  acts: {
    write: async ({ folder, word }, text) => {
      const file = join(data, `notes-of-${word}.md`);
      writeFileSync(file, `${text}\n`);
      return answerOf(await cairnIn(data, folder)(["import", file, "--from", "markdown"]));
    },
  },
});

/** The hook of a harness that says that it works in the folder; told why, it waits for its answer. */
export function hook({ data }: House): Door {
  let sessions = 0;
  const tell =
    (event: string): Act =>
    async ({ folder }) => {
      const input = { session_id: `session-${++sessions}`, cwd: folder, prompt: `What does the ${QUERY} say?` };
      const { out, code } = await cairnIn(data, data)(["hook", event, "--debug"], JSON.stringify(input));
      return { said: out, isRefused: code !== 0 };
    };
  return { acts: { search: tell("user-prompt"), list: tell("session-start"), keystones: tell("session-start") } };
}
