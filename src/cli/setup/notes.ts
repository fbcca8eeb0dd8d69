import type { Harness } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESSES } from "./harnesses.ts";
import type { Wish } from "./wish.ts";
import { KEY_VARIABLE, SHARED_COMMAND } from "./wish.ts";

/** What of this machine a note depends on. */
export interface Circumstances {
  readonly isFound: boolean;
  /** Whether a command of this name can be run. */
  readonly has: (command: string) => boolean;
}

/** What a person should know of a set-up, and do next. */
export function notesFor(name: HarnessName, wish: Wish, { isFound, has }: Circumstances): string[] {
  if (wish.remove) return [];
  const { title, next }: Harness = HARNESSES[name];
  return [
    ...(isFound ? [] : [`${title} was not found on this machine; its files are written all the same.`]),
    ...(wish.transport === "http" ? overHttp(HARNESSES[name], wish) : overStdio(wish, has)),
    next,
  ];
}

function overHttp({ title, bearer }: Harness, { key, scope, is_local, url }: Wish): string[] {
  const ofKey = key
    ? `${title} takes no key from the environment: add the header Authorization with the key in ${KEY_VARIABLE} by hand.`
    : `It sends no key. Where the server asks for one, set ${KEY_VARIABLE} and run this again.`;
  return [
    ...(key && bearer !== null ? [] : [ofKey]),
    ...(scope === "project" && is_local
      ? [`${url} is this machine's: whoever else uses the project needs a server there, too.`]
      : []),
  ];
}

function overStdio({ scope, flags, shared_flags, key }: Wish, has: Circumstances["has"]): string[] {
  const left = scope === "project" ? unwritten(flags, shared_flags) : [];
  return [
    ...(scope === "project" && !has(SHARED_COMMAND)
      ? [`There is no \`${SHARED_COMMAND}\` on the PATH here, which is what these files start: put it there.`]
      : []),
    ...left.map(
      ([flag, value]) =>
        `Others read these files, so that ${value} is not in them: let the harness start with ${VARIABLE_OF[flag]}.`,
    ),
    ...(flags.includes("--url") && key ? [`The key is in no file: let the harness start with ${KEY_VARIABLE}.`] : []),
  ];
}

type MachineFlag = "--data" | "--url";
const VARIABLE_OF = { "--data": "CAIRN_DATA", "--url": "CAIRN_URL" } as const satisfies Record<MachineFlag, string>;
const isMachineFlag = (word: string): word is MachineFlag => Object.hasOwn(VARIABLE_OF, word);

/** Flags of this machine, with their values, that shared files do without. */
const unwritten = (flags: readonly string[], shared: readonly string[]): [MachineFlag, string][] =>
  flags.flatMap((flag, at) => (isMachineFlag(flag) && !shared.includes(flag) ? [[flag, flags[at + 1] ?? ""]] : []));
