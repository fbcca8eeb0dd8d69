// Loaded before every test: a test that reaches for another host fails instead of passing by luck.
const real = globalThis.fetch;
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

globalThis.fetch = Object.assign(
  (...[input, init]: Parameters<typeof fetch>) => {
    const { hostname, protocol } = new URL(input instanceof Request ? input.url : String(input));
    if (protocol.startsWith("http") && !LOOPBACK.includes(hostname)) {
      throw new Error(`A test tried to read_scope ${hostname}; tests run without a network.`);
    }
    return real(input, init);
  },
  { preconnect: real.preconnect },
);
