import { connect } from "node:net";

/** Asks a server for encryption: its answer is one letter. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = "S".charCodeAt(0);

/** Whether a server speaks TLS. Throws what the system says where it cannot be reached within so many milliseconds. */
export function takesTls(host: string, port: number, withinMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const fail = (error: Error) => end(() => reject(error));
    const timer = setTimeout(
      () => fail(Object.assign(new Error("The server does not answer."), { code: "CONNECT_TIMEOUT" })),
      withinMs,
    );
    socket.on("connect", () => socket.write(SSL_REQUEST));
    socket.on("data", ([letter]: Buffer) => end(() => resolve(letter === YES)));
    socket.on("error", fail);
    socket.on("close", () => end(() => resolve(false)));
  });
}
