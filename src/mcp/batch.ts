import { isInitializeRequest, isJSONRPCRequest, parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** What the answers of one batch may take together; what comes after is refused. One message by itself has the limits of its tool. */
interface BatchBounds {
  readonly bytes: number;
  readonly ms: number;
}
const BOUNDS: BatchBounds = { bytes: 8 * 1024 * 1024, ms: 10_000 };
/** Of JSON-RPC: an error of the server's own. */
const REFUSED = -32_000;
const MESSAGES_MAX = 100;

/** Whether a body is several messages that can be answered one by one; what is wrong with others is for MCP to say. */
export function isBatch(body: unknown): body is readonly unknown[] {
  if (!Array.isArray(body) || body.length < 2 || body.length > MESSAGES_MAX) return false;
  return body.every((one) => isMessage(one) && !isInitializeRequest(one));
}

function isMessage(one: unknown): boolean {
  try {
    parseJSONRPCMessage(one);
    return true;
  } catch {
    return false;
  }
}

/**
 * Answers messages one after the other, as many as the bounds hold and only while their sender is there. Between two of them
 * others have their turn: what runs at once in this process would keep everybody waiting.
 */
export async function answerBatch(
  messages: readonly unknown[],
  signal: AbortSignal,
  answer: (message: unknown) => Promise<Response>,
  bounds: BatchBounds = BOUNDS,
): Promise<Response> {
  const deadline = performance.now() + bounds.ms;
  const replies: string[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (signal.aborted) break;
    if (bytes > bounds.bytes || performance.now() > deadline) {
      replies.push(...refused(message));
      continue;
    }
    const response = await answer(message);
    // What is refused by its headers is refused for all messages alike.
    if (!response.ok) return response;
    const reply = await response.text();
    bytes += reply.length;
    if (reply !== "") replies.push(reply);
    await othersTurn();
  }
  if (replies.length === 0) return new Response(null, { status: 202 });
  return new Response(`[${replies.join(",")}]`, { headers: { "Content-Type": "application/json" } });
}

const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function refused(message: unknown): string[] {
  if (!isJSONRPCRequest(message)) return [];
  const error = {
    code: REFUSED,
    message: "The answers before took as much as one batch may: this message was not run. Send it in another request.",
  };
  return [JSON.stringify({ jsonrpc: "2.0", id: message.id, error })];
}
