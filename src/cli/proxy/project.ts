import { z } from "zod";
import { describeCause } from "../../core/kernel/log.ts";
import { ProjectError } from "../../projects/folder/error.ts";
import type { Gathered } from "../../projects/folder/evidence.ts";
import { connectTo } from "../connect.ts";
import { askTrusted } from "../which-project.ts";
import type { FindServer, NamedProject } from "./forward.ts";
import type { Message } from "./messages.ts";

/** What a folder says of its project. Throws ProjectError. */
export type EvidenceOf = (folder: string, options: { readonly save: boolean }) => Gathered;

interface Asking {
  readonly evidenceOf: EvidenceOf;
  readonly find: FindServer;
  readonly save: boolean;
}

/** The project of the first of some folders that is of one, or why it cannot be told: then nothing goes to everyone by mistake. */
export async function projectIn(
  folders: readonly string[],
  { evidenceOf, find, save }: Asking,
): Promise<NamedProject | ProjectError | null> {
  try {
    for (const folder of folders) {
      const { evidence } = evidenceOf(folder, { save });
      const { call } = connectTo(await find());
      const { project } = await askTrusted(call, { save }, evidence);
      if (project !== null) return project;
    }
    return null;
  } catch (error) {
    if (error instanceof ProjectError) return error;
    // Whatever it is, the client is answered: by the server, or with what keeps it from being reached.
    return new ProjectError(`Which project this is cannot be told: ${describeCause(error)}`);
  }
}

/** Tools that store something in a project, which is then made where nobody knew it; the older ones by their name without a prefix. */
const STORING = ["remember", "documents", "keystones", "write", "doc", "keystones_set", "evolve", "insights"];
const PREFIX = /^(?:caura|memclaw)_/;
const Called = z.object({ name: z.string(), arguments: z.object({ op: z.string().optional() }).optional() });
/** What those of them do that have several operations, and which of these store nothing. */
const READING = ["list", "read", "get", "query", "search", "collections", "list_collections"];

/** Whether a message may store something in its project. */
export function storesIn({ method, params }: Message): boolean {
  const called = method === "tools/call" ? Called.safeParse(params).data : undefined;
  if (called === undefined || !STORING.includes(called.name.replace(PREFIX, ""))) return false;
  const op = called.arguments?.op ?? (called.name === "keystones" ? "list" : "");
  return !READING.includes(op);
}
