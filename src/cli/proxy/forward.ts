import { z } from "zod";
import type { ProjectError } from "../../projects/folder/error.ts";
import type { Remote } from "../connect.ts";
import { proven, unlessRedirected } from "../connect.ts";
import type { Message } from "./messages.ts";
import { errorLine, isRequest, mirrored, SERVER_ERROR } from "./messages.ts";

/** The project that a client works in, and what said so. */
export interface NamedProject {
  readonly id: string;
  /** What it is shown as, where it is known by its id; what somebody named may be a name that several have. */
  readonly name?: string | undefined;
  readonly source: string;
}

/** What goes with every message. */
export interface Along {
  /** What is wrong with what should name it goes along, too: the server then refuses what would need it. */
  readonly project: NamedProject | ProjectError | null;
  readonly agent: string | null;
  /** Revision that an older client agreed on. */
  readonly agreed: string | null;
  /** The set of tools that the client is to see; null for the usual ones. */
  readonly tools: string | null;
}

/** Where the server is; asked again after it could not be reached. */
export type FindServer = () => Promise<Remote>;

/** How often a message is sent while the server is away or starts again, and the pause before the next time. */
const ATTEMPTS = 4;
const PAUSE_MS = 250;
/** What another try does not mend. */
const LASTING: ReadonlySet<string> = new Set(["TimeoutError", "NotStarted", "Redirected", "Unproven"]);
/** A call that takes longer than any of the server's own. */
const CALL_LIMIT_MS = 120_000;

/**
 * Sends one message to the server and gives the lines of its answer; none for a notification. A server that went away is
 * looked for again, and the message repeated under the same Idempotency-Key, so that nothing is written twice.
 */
export async function forward(message: Message, text: string, along: Along, find: FindServer): Promise<string[]> {
  const key = crypto.randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      const server = await find();
      const url = `${server.url.replace(/(?<!\/)\/+$/, "")}/mcp`;
      await proven(server);
      const sent = await fetch(url, {
        method: "POST",
        redirect: "manual",
        body: text,
        headers: {
          ...headersOf(message, along),
          "Idempotency-Key": key,
          ...(server.key ? { "X-API-Key": server.key } : {}),
        },
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
      });
      const response = unlessRedirected(sent, url);
      return linesOf(message, response.status, response.headers.get("content-type") ?? "", await response.text());
    } catch (error) {
      if (attempt < ATTEMPTS && !(error instanceof Error && LASTING.has(error.name))) {
        await new Promise((resume) => setTimeout(resume, PAUSE_MS * attempt));
        continue;
      }
      return isRequest(message) ? [errorLine(message.id, SERVER_ERROR, unreached(error))] : [];
    }
  }
}

function unreached(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `Cairn could not be reached: ${why} Nothing may have been done; look with a search before you repeat a save. \`cairn doctor\` finds out more.`;
}

function headersOf(message: Message, { project, agent, agreed, tools }: Along): Record<string, string> {
  return {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...mirrored(message, agreed),
    ...headersOfProject(project),
    ...(agent === null ? {} : { "X-Cairn-Agent": encodeURIComponent(agent) }),
    ...(tools === null ? {} : { "X-Cairn-Tools": tools }),
  };
}

function headersOfProject(project: Along["project"]): Record<string, string> {
  if (project === null) return {};
  if (project instanceof Error) return { "X-Cairn-Project-Fault": encodeURIComponent(project.message) };
  return {
    "X-Cairn-Project": encodeURIComponent(project.id),
    ...(project.name === undefined ? {} : { "X-Cairn-Project-Name": encodeURIComponent(project.name) }),
    "X-Cairn-Project-Source": encodeURIComponent(project.source),
  };
}

const Envelope = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** An answer as lines: JSON as it is, a stream of events event by event, a refusal of the server as an error. */
function linesOf(message: Message, status: number, type: string, body: string): string[] {
  if (body.trim() === "") return [];
  if (type.startsWith("text/event-stream")) return eventsOf(body);
  const refused = Envelope.safeParse(asJson(body)).data?.error;
  if (!refused) return [body.replace(/\n/g, " ")];
  if (!isRequest(message)) return [];
  return [errorLine(message.id, SERVER_ERROR, `${refused.code} (${status}): ${refused.message}`)];
}

const eventsOf = (body: string): string[] =>
  body.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []));
    return data.length === 0 ? [] : [data.join("")];
  });

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
