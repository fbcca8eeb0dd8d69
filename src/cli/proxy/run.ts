import { describeCause } from "../../core/kernel/log.ts";
import { shownOnOneLine } from "../../core/kernel/quoting/unseen.ts";
import { print, printError } from "../print.ts";
import type { FindServer } from "./forward.ts";
import { forward } from "./forward.ts";
import type { Introduction, Message } from "./messages.ts";
import { agreedIn, errorLine, foldersOf, introductionOf, Message as MessageSchema, PARSE_ERROR } from "./messages.ts";
import type { EvidenceOf } from "./project.ts";
import { projectIn, storesIn } from "./project.ts";

export interface ProxyOptions {
  readonly find: FindServer;
  /** Named on the command line. */
  readonly project: string | null;
  readonly agent: string | null;
  /** The set of tools that the client is to see; null for the usual ones. */
  readonly tools: string | null;
  readonly evidenceOf: EvidenceOf;
  /** Where this process was started. */
  readonly folder: string;
  /** The id of the process that started this one. */
  readonly parent: number;
}

const ROOTS_ID = "cairn-roots";
/** How long a call waits for a client that said it would name its roots. */
const ROOTS_LIMIT_MS = 500;
/** How often it is looked whether whoever started this is still there. */
const PARENT_POLL_MS = 500;

/**
 * Answers MCP over standard input and output, a message a line, through a server. Resolves when the input has ended and
 * everything in hand is answered. Nothing but the protocol goes to standard output.
 */
export async function runProxy(options: ProxyOptions): Promise<void> {
  endWithParent(options.parent);
  const session = createSession(options);
  const inHand = new Set<Promise<void>>();
  for await (const line of linesIn(Bun.stdin.stream())) {
    const work = session
      .take(line)
      .catch((error: unknown) => printError(`cairn mcp: ${shownOnOneLine(describeCause(error))}\n`));
    inHand.add(work);
    void work.finally(() => inHand.delete(work));
  }
  await Promise.all(inHand);
}

function endWithParent(parent: number): void {
  setInterval(() => process.ppid !== parent && process.exit(0), PARENT_POLL_MS);
}

/** Lines of a stream of bytes, without their ends; the last one also without one. */
async function* linesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of stream) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(first);
    for (const next of rest) {
      yield parts.join("");
      parts = [next];
    }
  }
  yield parts.join("") + decoder.decode();
}

function createSession({ find, project, agent, tools, evidenceOf, folder }: ProxyOptions) {
  let client: string | null = null;
  let agreed: string | null = null;
  let hasRoots = false;
  /** Folders that the client works in, as far as it has said so. */
  let rooted: readonly string[] = [];
  /** The answer to an introduction that is on its way. */
  let introduced = Promise.withResolvers<void>();
  introduced.resolve();
  /** Roots that are to come. */
  let roots: PromiseWithResolvers<void> | null = null;

  /** Calls that come before the answer wait for it, but not for a client that never gives one. */
  const rootsKnown = async () => {
    await introduced.promise;
    const awaited = roots;
    if (awaited === null) return;
    await Promise.race([awaited.promise, Bun.sleep(ROOTS_LIMIT_MS)]);
    if (roots === awaited) roots = null;
  };
  const askRoots = async () => {
    roots ??= Promise.withResolvers<void>();
    await introduced.promise;
    print(JSON.stringify({ jsonrpc: "2.0", id: ROOTS_ID, method: "roots/list" }));
  };
  /** A server's working directory is fixed when its host starts, so that a root says more. */
  const takeRoots = ({ result }: Message) => {
    rooted = foldersOf(result);
    roots?.resolve();
    roots = null;
  };
  const named = project === null ? null : { id: project, source: "argument" };
  const asking = { evidenceOf, find };
  /** What goes with a message: the project of the first root that has one, else that of the folder where this was started. */
  const along = async (message: Message) => ({
    project:
      named ??
      (isOfProject(message) ? await projectIn([...rooted, folder], { ...asking, save: storesIn(message) }) : null),
    agent: agent ?? client,
    agreed,
    tools,
  });

  const takeMessage = async (message: Message, text: string): Promise<void> => {
    if (message.id === ROOTS_ID && message.method === undefined) return takeRoots(message);
    const introduction = introductionOf(message);
    if (introduction) return introduce(introduction, message, text);
    if (hasRoots && tellsOfRoots(message)) void askRoots();
    if (isOfProject(message)) await rootsKnown();
    for (const line of await forward(message, text, await along(message), find)) print(line);
  };
  const introduce = async ({ name, hasRoots: has }: Introduction, message: Message, text: string): Promise<void> => {
    client = name;
    hasRoots = has;
    roots = has ? Promise.withResolvers<void>() : null;
    introduced = Promise.withResolvers<void>();
    try {
      const lines = await forward(message, text, await along(message), find);
      if (lines[0] !== undefined) agreed = agreedIn(asJson(lines[0]));
      for (const line of lines) print(line);
    } finally {
      introduced.resolve();
    }
  };

  return {
    async take(line: string): Promise<void> {
      if (line.trim() === "") return;
      const json = asJson(line);
      const parsed = MessageSchema.safeParse(json);
      if (parsed.success) return takeMessage(parsed.data, line);
      if (Array.isArray(json)) return takeMessage({ method: "batch", id: "batch" }, line);
      print(errorLine(null, PARSE_ERROR, "This line is no message of JSON-RPC."));
    },
  };
}

const tellsOfRoots = ({ method }: Message): boolean =>
  method === "notifications/initialized" || method === "notifications/roots/list_changed";

/** Whether what a message is answered with depends on the client's project. */
const isOfProject = ({ method = "" }: Message): boolean =>
  /^(?:tools\/call|resources\/|initialize$|server\/discover$)/.test(method);

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
