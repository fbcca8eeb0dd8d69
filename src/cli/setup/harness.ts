import type { JsonObject } from "../../core/kernel/json.ts";
import type { ConfigPart, Format, HookEvent } from "./part.ts";

/** The machine as a set-up sees it; all that differs from one to the next. */
export interface Machine {
  readonly platform: "linux" | "darwin" | "win32";
  readonly home: string;
  /** The folder of the project, for what is written into one. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Scope = "user" | "project";

/** What a harness is to connect to. */
export type Server =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly headers: JsonObject };

/** A file of a harness, and where in it our entry belongs. */
export interface EntryPlace {
  readonly file: string;
  readonly format: Format;
  readonly path: readonly string[];
  /** Other places where the entry may be, from another version of the harness; the first that the file has takes it. */
  readonly others?: readonly (readonly string[])[];
}

/** The file in which a harness looks for hooks, and its words for the events. */
export interface HookPlace {
  readonly file: string;
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  /** Whether each element of a list is a group of hooks, or a hook itself. */
  readonly style: "groups" | "flat";
  /** How long a hook may take, in the unit of the harness. */
  readonly timeout: number;
  /** Whether the file is a person's own, also within a project. */
  readonly is_personal?: boolean;
  readonly base?: readonly Extract<ConfigPart, { kind: "base" }>[];
  /** Further files of which the harness runs hooks, and into which no set-up writes any. */
  readonly others?: readonly string[];
}

/** A program that agents live in. */
export interface Harness {
  readonly title: string;
  /** What its executable is called. */
  readonly command: string;
  /** A file or folder that shows that somebody uses it. */
  readonly trace: (machine: Machine) => string;
  /** Null where it has no file of its own for a project. */
  readonly entry: (machine: Machine, scope: Scope) => EntryPlace | null;
  readonly write: (server: Server) => JsonObject;
  /** What sends the key that a variable of the environment holds, without the key itself; null where nothing can. */
  readonly bearer: ((variable: string) => string) | null;
  readonly hooks?: (machine: Machine, scope: Scope) => HookPlace;
  /** What a person does next. */
  readonly next: string;
}

/** The entry that most harnesses read; they differ in the name of the address. */
export function plain(server: Server, url: string): JsonObject {
  if (server.kind === "stdio") return { command: server.command, args: [...server.args] };
  const { headers } = server;
  return { [url]: server.url, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
}

/** Codex takes the name of the variable itself, and no `headers`. */
export function codexEntry(server: Server): JsonObject {
  if (server.kind === "stdio") return plain(server, "url");
  const { Authorization: variable, ...headers } = server.headers;
  return {
    url: server.url,
    ...(typeof variable === "string" ? { bearer_token_env_var: variable } : {}),
    ...(Object.keys(headers).length > 0 ? { http_headers: headers } : {}),
  };
}
