import { connect } from "node:net";

/** One request as it is written, over a connection of its own, and the reply. */
export async function ask(port: number, line: string, headers: readonly string[] = ["Host: localhost"]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(`${[`${line} HTTP/1.1`, "Connection: close", ...headers].join("\r\n")}\r\n\r\n`);
  });
  socket.setEncoding("utf8");
  socket.on("data", (part: string) => {
    text += part;
  });
  socket.on("error", reject);
  socket.on("close", () => resolve(text));
  const [head = "", ...rest] = (await promise).split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest.join("\r\n\r\n") };
}
