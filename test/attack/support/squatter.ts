import { LINGER_2, REUSE_ADDRESS, rawSocket } from "./raw-sockets.ts";

// Takes a port, on which it does not listen, and says which. Told a line with a port and a request, it sends the request there
// from the port that it took, and closes: nothing is left of the connection a second later, while its other end is there.

const socket = rawSocket({ waits: true });
socket.set(REUSE_ADDRESS, 1);
socket.bind(0);
console.log(socket.port());
for await (const line of console) {
  const [port, request]: [number, string] = JSON.parse(line);
  socket.connect(port);
  socket.set(LINGER_2, 1);
  socket.send(request);
  socket.close();
  break;
}
