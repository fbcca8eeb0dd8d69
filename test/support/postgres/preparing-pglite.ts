import { PGlite } from "@electric-sql/pglite";

type Options = Parameters<PGlite["execProtocolStream"]>[1];
type Replies = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

/** A statement that the database has parsed, and what it replies whenever it is asked about it. */
interface Prepared {
  readonly name: Uint8Array;
  readonly parsed: Replies;
  parameters?: Replies;
  rows?: Replies;
}

/** Statements that are kept: those that are made up for one call alone would fill the memory. */
const PREPARED_MAX = 1_000;

// Types of messages and of what is described, https://www.postgresql.org/docs/current/protocol-message-formats.html
const [PARSE, BIND, DESCRIBE, STATEMENT] = [..."PBDS"].map((letter) => letter.charCodeAt(0));
/** Where the body of a message begins: behind its type and length. */
const BODY = 5;

/**
 * Parses a statement the first time alone and binds it by a name then, as drivers of servers do with those that come often: to
 * parse, plan and describe it anew takes most of the time of a small one.
 */
export class PreparingPglite extends PGlite {
  readonly #prepared = new Map<string, Prepared>();
  #current: Prepared | null = null;

  override async execProtocolStream(message: Uint8Array, options?: Options): Promise<Replies> {
    const run = (sent: Uint8Array): Promise<Replies> => super.execProtocolStream(sent, options);
    const current = this.#current;
    if (message[0] === PARSE) return this.#parse(message, run);
    if (current === null) return run(message);
    if (message[0] === BIND) return run(withName(message, BODY + 1, current.name));
    if (message[0] !== DESCRIBE) return run(message);
    if (message[BODY] === STATEMENT) {
      current.parameters ??= await run(withName(message, BODY + 1, current.name));
      return current.parameters;
    }
    current.rows ??= await run(message);
    return current.rows;
  }

  async #parse(message: Uint8Array, run: (sent: Uint8Array) => Promise<Replies>): Promise<Replies> {
    const text = new TextDecoder().decode(message);
    this.#current = this.#prepared.get(text) ?? null;
    if (this.#current) return this.#current.parsed;
    if (this.#prepared.size >= PREPARED_MAX) return run(message);
    const name = new TextEncoder().encode(`s${this.#prepared.size}`);
    const made: Prepared = { name, parsed: await run(withName(message, BODY, name)) };
    this.#prepared.set(text, made);
    this.#current = made;
    return made.parsed;
  }
}

/** A message whose empty name at a place is another. */
function withName(message: Uint8Array, at: number, name: Uint8Array): Uint8Array {
  const named = Buffer.concat([message.subarray(0, at), name, message.subarray(at)]);
  named.writeInt32BE(named.length - 1, 1);
  return named;
}
