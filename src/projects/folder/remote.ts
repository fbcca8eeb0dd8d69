import { posix, win32 } from "node:path";
import { isShownWhole } from "../../core/kernel/quoting/unseen.ts";
import { gitSettings } from "./git-config.ts";

/** What the remote `origin`, or the only one, of a git configuration leads to; null where there is none. */
export function remoteUrlIn(config: string): string | null {
  const urls = new Map<string, string>();
  for (const { section, name, key, value } of gitSettings(config)) {
    if (section === "remote" && key === "url" && !urls.has(name)) urls.set(name, value);
  }
  const [only] = urls.size === 1 ? [...urls.values()] : [];
  return urls.get("origin") ?? only ?? null;
}

/** Characters of a remote, as it is written and as it is told: longer ones are none. */
const WRITTEN_MAX = 4_000;
const TOLD_MAX = 500;

/** What a path on this machine begins with; no host is called so, as `hostIn` gives one of that name a dot. */
const FILE = "file";

/**
 * A remote by one spelling: `host/owner/repo` of a URL or of `user@host:path`, without what says how and as whom it is reached
 * (so that no secret is left of it), and `file/path` of a path, a relative one taken from `base`. Null for what names no
 * repository, nor says safely where one is: a command, a port that is none, an `@` where a password may have been.
 */
export function remoteOf(url: string, base: string): string | null {
  const written = url.trim();
  if (written === "" || written.length > WRITTEN_MAX) return null;
  const told = toldOf(written, base);
  return told !== null && told.length <= TOLD_MAX && isShownWhole(told) ? told : null;
}

function toldOf(written: string, base: string): string | null {
  // `ext::command` and the like: what follows is for that program alone.
  if (/^[A-Za-z0-9+.-]+::/.test(written)) return null;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(written);
  if (scheme) return ofUrl(scheme[1]?.toLowerCase() ?? "", written.slice(scheme[0].length), base);
  return isPath(written) ? ofPath(written, base) : ofHostAndPath(written);
}

/** As git tells them apart: a colon before any slash is that behind a host, but for a drive of Windows. */
function isPath(written: string): boolean {
  if (DRIVE.test(written)) return true;
  const end = written.startsWith("[") || /^[^/:]*@\[/.test(written) ? written.indexOf("]") + 1 : 0;
  const colon = written.indexOf(":", end);
  const slash = written.search(/[\\/]/);
  return colon === -1 || (slash !== -1 && slash < colon);
}

const DRIVE = /^[A-Za-z]:(?:[\\/]|$)/;

function ofUrl(scheme: string, rest: string, base: string): string | null {
  if (scheme === "file") return ofFileUrl(rest, base);
  const web = scheme === "http" || scheme === "https";
  const reached = web ? (/^[^?#]*/.exec(rest)?.[0] ?? "") : rest;
  const slash = reached.indexOf("/");
  if (slash === -1) return null;
  const authority = reached.slice(0, slash);
  return ofHost(decoded(authority.slice(authority.lastIndexOf("@") + 1)), decoded(reached.slice(slash)));
}

function ofFileUrl(rest: string, base: string): string | null {
  const slash = rest.indexOf("/");
  const path = decoded(slash === -1 ? "" : rest.slice(slash));
  if (path === "") return null;
  return ofPath(DRIVE.test(path.slice(1)) ? path.slice(1) : path, base);
}

/** `user@host:path`, `[host:port]:path`, `[::1]:path`. */
function ofHostAndPath(written: string): string | null {
  const named = /^(?:[^@:/[]*@)?(?:\[([^\]]*)\]|([^:/[\]]*)):(.*)$/s.exec(written);
  if (!named) return null;
  const [, bracketed, plain = "", path = ""] = named;
  if (bracketed === undefined) return ofHost(afterUser(plain), path);
  const host = afterUser(bracketed);
  return ofHost(host.split(":").length > 2 ? `[${host}]` : host, path);
}

const afterUser = (host: string): string => host.slice(host.lastIndexOf("@") + 1);

/** Other names of hosts, by which the same repositories are reached through other ports. */
const SAME_HOST: ReadonlyMap<string, string> = new Map([
  ["ssh.github.com", "github.com"],
  ["altssh.gitlab.com", "gitlab.com"],
  ["altssh.bitbucket.org", "bitbucket.org"],
]);
/** Hosts to which `Owner/Repo` and `owner/repo` are one. */
const FOLDING: ReadonlySet<string> = new Set(["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"]);

function ofHost(reached: string, path: string): string | null {
  const host = hostIn(reached);
  if (host === null) return null;
  const steps = stepsOf(FOLDING.has(host) ? path.toLowerCase() : path);
  // `~/` is where a path of `host:path` begins.
  if (steps[0] === "~") steps.shift();
  const isSafe = steps.every((step) => step.lastIndexOf("@") <= 0);
  return steps.length > 0 && isSafe ? [host, ...steps].join("/") : null;
}

/** A host in small letters, without its port; null for what can be none. */
function hostIn(reached: string): string | null {
  const named = /^(\[[^\]]+\]|[^:[\]]+)(?::\d*)?$/.exec(reached)?.[1]?.toLowerCase();
  const host = named?.endsWith(".") ? named.slice(0, -1) : named;
  if (!host || /[\s/\\@]/.test(host)) return null;
  return host === FILE ? `${FILE}.` : (SAME_HOST.get(host) ?? host);
}

/** The steps of a path without `.`, `..` and empty ones, the last one without `.git`. */
function stepsOf(path: string): string[] {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  const last = steps.pop()?.replace(/\.git$/, "");
  return last ? [...steps, last] : steps;
}

/** A path on this machine; one of Windows in small letters, as its systems take them. */
function ofPath(written: string, base: string): string | null {
  const isWindows = DRIVE.test(written) || written.startsWith("\\") || DRIVE.test(base);
  const whole = isWindows
    ? win32.resolve(base, written).replaceAll("\\", "/").toLowerCase()
    : posix.resolve(base, written);
  const steps = stepsOf(whole);
  const isSafe = steps.every((step) => !step.includes(":") || step.lastIndexOf("@") < step.indexOf(":"));
  return steps.length > 0 && isSafe ? [FILE, ...steps].join("/") : null;
}

/** A text with its percent signs read; as it is where they do not say UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
