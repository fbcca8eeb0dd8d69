import { takeToken } from "../../src/http/rate-limits.ts";

export interface FakeRedis {
  readonly url: string;
  /** Names of the buckets that calls were taken from. */
  readonly names: ReadonlySet<string>;
  stop(): void;
}

interface Conversation {
  text: string;
}

/**
 * A server that speaks as much of the protocol of Redis as Cairn does: HELLO, PING, and EVAL of the one script, whose
 * bucket it keeps by the pure function that a single server goes by. Every argument is ASCII, so that bytes are characters.
 */
export function fakeRedis(now: () => number, port = 0): FakeRedis {
  const names = new Set<string>();
  const buckets = new Map<string, ReturnType<typeof takeToken>["bucket"]>();
  const reply = ([command = "", ...args]: readonly string[]): string => {
    switch (command.toUpperCase()) {
      case "HELLO":
        return "%1\r\n+server\r\n+redis\r\n";
      case "PING":
        return "+PONG\r\n";
      case "EVAL":
        return evaluate(args[2] ?? "", Number(args[3]));
      default:
        return "-ERR unknown command\r\n";
    }
  };
  const evaluate = (name: string, rate: number): string => {
    names.add(name);
    const { quota, bucket } = takeToken(buckets.get(name) ?? null, rate, now());
    buckets.set(name, bucket);
    const left = String(bucket.tokens);
    return `*2\r\n:${quota.allowed ? 1 : 0}\r\n$${left.length}\r\n${left}\r\n`;
  };
  const server = Bun.listen<Conversation>({
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
          socket.write(reply(read.words));
        }
      },
    },
  });
  return { url: `redis://127.0.0.1:${server.port}`, names, stop: () => server.stop(true) };
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
