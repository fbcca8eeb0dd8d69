/** Whether an address or name reaches only this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Whether a host is written as an address rather than a name; a name may be pointed anywhere by its owner. */
export const isAddress = (host: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || /^\[[0-9a-f:.]+\]$/i.test(host);

/** Where to listen for a host: the one address that `localhost` is, so that nobody else listens on the other one of that name. */
export const listeningAddress = (host: string): string => (host === "localhost" ? "127.0.0.1" : host);

/** "Any address" is one to listen on and none to call. */
const CALLABLE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Where a server that listens on `host` is reached from its own machine. */
export function urlOf(host: string, port: number): string {
  const name = CALLABLE[host] ?? listeningAddress(host);
  return `http://${hostInUrl(name)}:${port}`;
}

/** A host as it stands in an address: one of version 6 between brackets. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** An address as it may be shown: without the name and password that some hold. */
export const withoutCredentials = (url: string): string => url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#\\]*@/i, "$1");

/** Whether a text is the address of something on the web, rather than the path of a file. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text);
/** A database on a server, as an address such as `postgres://cairn:secret@db.internal:5432/cairn?sslmode=require` names it. */
export interface DatabaseAddress {
  readonly user: string | null;
  readonly password: string | null;
  /** Names or addresses of hosts, or folders of Unix sockets, of which one is to answer; empty for this machine. */
  readonly hosts: readonly { readonly host: string; readonly port: number | null }[];
  readonly database: string | null;
  /** What is said after the question mark, but for what the members above tell. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Only what these allow is taken, so that nothing of a password ends up in another part, and is shown. */
const ADDRESS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^#]*))?$/;
const HOST = /^(\[[0-9a-f:.%]+\]|[^:[\]]*)(?::(\d{1,5}))?$/i;

/** Reads an address as libpq does; null for a text that is none. */
export function readDatabaseAddress(text: string): DatabaseAddress | null {
  const [matched, credentials, places = "", name, query = ""] = ADDRESS.exec(text) ?? [];
  if (matched === undefined) return null;
  try {
    const parameters = parametersIn(query);
    const [, user, , password] = /^([^:]*)(:(.*))?$/.exec(credentials ?? "") ?? [];
    const [hosts, ports] = [taken(parameters, "host"), taken(parameters, "port")];
    return {
      user: taken(parameters, "user") ?? decoded(user),
      password: taken(parameters, "password") ?? decoded(password),
      hosts: hostsIn(hosts?.replaceAll("%", "%25") ?? places, ports?.split(",") ?? []),
      database: taken(parameters, "dbname") ?? decoded(name),
      parameters,
    };
  } catch {
    return null;
  }
}

/** A database as messages name it: nothing of its password, and no parameter. Empty for a text that is no address. */
export function databaseNamed(text: string): string {
  const address = readDatabaseAddress(text);
  if (address === null) return "";
  const { user, hosts, database } = address;
  const places = hosts.map(({ host, port }) => (port === null ? host : `${hostInUrl(host)}:${port}`)).join(",");
  return `postgres://${user === null ? "" : `${user}@`}${places || "localhost"}/${database ?? user ?? ""}`;
}

const decoded = (text: string | undefined): string | null => (text ? decodeURIComponent(text) : null);

function parametersIn(query: string): Map<string, string> {
  const pairs = query.split("&").filter((pair) => pair !== "");
  return new Map(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decodeURIComponent(name), decodeURIComponent(value.join("="))];
    }),
  );
}

function taken(parameters: Map<string, string>, name: string): string | null {
  const value = parameters.get(name);
  parameters.delete(name);
  return value || null;
}

/** One port is for all hosts, several are one for each. Throws where a host is none. */
function hostsIn(list: string, ports: readonly string[]): DatabaseAddress["hosts"] {
  if (list === "" && ports.length === 0) return [];
  return list.split(",").map((one, i) => {
    const [matched, host = "", port = ports.length === 1 ? ports[0] : ports[i]] = HOST.exec(one) ?? [];
    const number = port ? Number(port) : null;
    if (matched === undefined || (number !== null && !(number > 0 && number < 65_536))) throw new Error("no host");
    return { host: decodeURIComponent(host).replace(/^\[(.*)\]$/, "$1") || "localhost", port: number };
  });
}
/** The statuses that have a client ask elsewhere (RFC 9110, 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SHOWN_MAX = 200;

/**
 * Where a reply sends who asked, as it may be shown: without name, password and query; null where it sends nobody anywhere.
 * Nothing of ours goes there: keys and texts are for the server that was named. Ask with `redirect: "manual"`.
 */
export function redirectTarget(
  { status, headers }: Pick<Response, "status" | "headers">,
  asked: string,
): string | null {
  if (!REDIRECTS.has(status)) return null;
  const target = URL.parse(headers.get("location") ?? "", asked);
  if (target === null || !headers.has("location")) return "an address that cannot be read";
  const host = target.host === "" ? target.protocol : `${target.protocol}//${target.host}`;
  const shown = `${host}${target.pathname}`;
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}...` : shown;
}
