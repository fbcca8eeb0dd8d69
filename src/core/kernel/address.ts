/** Whether an address or name reaches only this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Whether a host is written as an address rather than a name; a name may be pointed anywhere by its owner. */
export const isAddress = (host: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || /^\[[0-9a-f:.]+\]$/i.test(host);

/** "Any address" is one to listen on and none to call. */
const CALLABLE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Where a server that listens on `host` is reached from its own machine. */
export function urlOf(host: string, port: number): string {
  const name = CALLABLE[host] ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** An address as it may be shown: without the name and password that some hold. */
export const withoutCredentials = (url: string): string => url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#\\]*@/i, "$1");

/** Whether a text is the address of something on the web, rather than the path of a file. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text);
