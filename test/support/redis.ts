import type { Answer } from "./lua-script.ts";
import { evalScript } from "./lua-script.ts";

export interface RedisServer {
  readonly url: string;
  /** Names of the keys that are there now. */
  keys(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * A server that speaks RESP on a free port and runs whatever script it is sent, with the commands HELLO, PING, EVAL, KEYS, TIME, HMGET,
 * HSET and PEXPIRE as Redis documents them. It knows nothing of what its scripts are for. Every word is ASCII.
 */
export function inProcessRedis(now: () => number, port = 0): RedisServer {
  const store = createStore(now);
  const server = Bun.listen<{ text: string }>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => {
        socket.data = { text: "" };
      },
      data: (socket, bytes) => {
        socket.data.text += bytes.toString("latin1");
        for (;;) {
          const read = nextCommand(socket.data.text);
          if (!read) return;
          socket.data.text = read.rest;
          socket.write(answerTo(store, read.words));
        }
      },
    },
  });
  return {
    url: `redis://127.0.0.1:${server.port}`,
    keys: async () => store.keys(),
    stop: async () => server.stop(true),
  };
}

type Store = ReturnType<typeof createStore>;

/** Hashes with a time to live, by the clock that is given. */
function createStore(now: () => number) {
  const hashes = new Map<string, { readonly fields: Map<string, string>; expires: number }>();
  const live = (key: string) => {
    const found = hashes.get(key);
    if (found && found.expires <= now()) hashes.delete(key);
    return hashes.get(key);
  };
  const commands: Readonly<Record<string, (key: string, ...words: string[]) => Answer>> = {
    TIME: () => [String(Math.floor(now() / 1_000)), String(Math.round((now() % 1_000) * 1_000))],
    HMGET: (key, ...fields) => fields.map((field) => live(key)?.fields.get(field) ?? null),
    HSET: (key, ...pairs) => {
      const hash = live(key) ?? { fields: new Map<string, string>(), expires: Number.POSITIVE_INFINITY };
      const before = hash.fields.size;
      for (let i = 0; i + 1 < pairs.length; i += 2) hash.fields.set(pairs[i] ?? "", pairs[i + 1] ?? "");
      hashes.set(key, hash);
      return hash.fields.size - before;
    },
    PEXPIRE: (key, milliseconds = "") => {
      // As Redis: a time that is no integer is refused.
      if (!/^-?\d+$/.test(milliseconds)) throw new Error("ERR value is not an integer or out of range");
      const hash = live(key);
      if (!hash) return 0;
      hash.expires = now() + Number(milliseconds);
      return 1;
    },
  };
  return {
    keys: () => [...hashes.keys()].filter((key) => live(key)),
    call: ([name = "", key = "", ...words]: readonly string[]): Answer => {
      const command = commands[name.toUpperCase()];
      if (!command) throw new Error(`ERR unknown command '${name}'`);
      return command(key, ...words);
    },
  };
}

function answerTo(store: Store, [name = "", ...words]: readonly string[]): string {
  try {
    switch (name.toUpperCase()) {
      case "HELLO":
        return "%1\r\n+server\r\n+redis\r\n";
      case "PING":
        return "+PONG\r\n";
      case "KEYS":
        return encode(store.keys());
      case "EVAL": {
        const [script = "", count = "0", ...rest] = words;
        const keys = rest.slice(0, Number(count));
        return encode(evalScript(script, { keys, args: rest.slice(Number(count)), call: store.call }));
      }
      default:
        return encode(store.call([name, ...words]));
    }
  } catch (error) {
    return `-${String(error instanceof Error ? error.message : error).replace(/[\r\n]+/g, " ")}\r\n`;
  }
}

/** An answer on the wire (RESP 3). */
function encode(answer: Answer): string {
  if (answer === null) return "_\r\n";
  if (typeof answer === "number") return `:${answer}\r\n`;
  if (typeof answer === "string") return `$${answer.length}\r\n${answer}\r\n`;
  return `*${answer.length}\r\n${answer.map(encode).join("")}`;
}

/** The first whole command of a stream, an array of bulk strings; null while it is not all there. */
function nextCommand(text: string): { words: string[]; rest: string } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (!head) return null;
  const words: string[] = [];
  let rest = text.slice(head[0].length);
  for (let i = 0; i < Number(head[1]); i++) {
    const size = /^\$(\d+)\r\n/.exec(rest);
    if (!size) return null;
    const start = size[0].length;
    const end = start + Number(size[1]);
    if (rest.length < end + 2) return null;
    words.push(rest.slice(start, end));
    rest = rest.slice(end + 2);
  }
  return { words, rest };
}

/** The Redis or Valkey of this machine; null where there is none. */
export const INSTALLED_REDIS = Bun.which("redis-server") ?? Bun.which("valkey-server");

/** A real Redis on a free port, once it answers. */
export async function realRedis(command: string): Promise<RedisServer> {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = probe;
  probe.stop(true);
  const child = Bun.spawn([command, "--port", String(port), "--save", "", "--appendonly", "no"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `redis://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    const client = new Bun.RedisClient(url, { autoReconnect: false });
    const answered = await client.connect().then(
      () => true,
      () => false,
    );
    client.close();
    if (answered) break;
    await Bun.sleep(50);
  }
  return {
    url,
    keys: async () => {
      const client = new Bun.RedisClient(url);
      const found = await client.send("KEYS", ["*"]);
      client.close();
      return Array.isArray(found) ? found.map(String) : [];
    },
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}
