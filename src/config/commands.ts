/** A command: the flags that only it knows, how it is written, and what it does. */
interface CommandEntry {
  readonly flags: Readonly<Record<string, { readonly type: "string" | "boolean" }>>;
  readonly usage: readonly string[];
  readonly about: string;
}

export const COMMANDS = {
  serve: { flags: {}, usage: ["[serve] [flags]"], about: "serve until a signal says stop" },
  keys: {
    flags: {
      agent: { type: "string" },
      fleet: { type: "string" },
      tenant: { type: "string" },
      trust: { type: "string" },
      label: { type: "string" },
      admin: { type: "boolean" },
    },
    usage: [
      "keys create [--agent A] [--fleet F] [--trust 0..3] [--admin] [--tenant T] [--label L]",
      "keys list [--tenant T]",
      "keys revoke ID [--tenant T]",
    ],
    about: "make, list and end the keys that callers send; with --data FOLDER, those of that folder",
  },
  skills: {
    flags: { "dry-run": { type: "boolean" }, prune: { type: "boolean" }, fleet: { type: "string" } },
    usage: ["skills sync [--dry-run] [--prune] [--fleet F]"],
    about: "active skills as SKILL.md files in the folders of --skill-targets",
  },
  check: { flags: {}, usage: ["check"], about: "are rows and indexes in agreement" },
  rebuild: { flags: {}, usage: ["rebuild"], about: "make the indexes anew" },
  licenses: { flags: {}, usage: ["licenses"], about: "the terms of the works of others within Cairn" },
  version: { flags: {}, usage: ["version"], about: "the release, and the version of the interface" },
  help: { flags: {}, usage: ["help [COMMAND]"], about: "this text, or what one command takes" },
} as const satisfies Record<string, CommandEntry>;

export type Command = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS).filter((name): name is Command => name in COMMANDS);
export const commandNamed = (word: string | undefined): Command | undefined =>
  COMMAND_NAMES.find((name) => name === word);
