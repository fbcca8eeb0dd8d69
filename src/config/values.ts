import { z } from "zod";
import { readDatabaseAddress } from "../core/kernel/address.ts";

// What the values of settings may be: each reads a text of the command line or a variable as well as a value of the config file.

/** A number, or a text that spells one; an empty text, a truth or nothing at all is none. */
const spelled = <T extends z.ZodNumber>(number: T) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value), number);
const PORT = "must be a whole number from 0 to 65535";
export const port = spelled(z.int(PORT).min(0, PORT).max(65_535, PORT));
const COUNT = "must be a whole number from 1 on";
export const count = spelled(z.int(COUNT).min(1, COUNT));
const THREADS = "must be a whole number from 0 to 32";
export const threads = spelled(z.int(THREADS).min(0, THREADS).max(32, THREADS));
/** What a flag without a value turns on. */
export const toggle = z.union([z.boolean(), z.stringbool()], "must be true or false");
export const text = z.string().trim().min(1, "must not be empty");
/** Long enough not to be guessed. */
export const password = z.string().min(8);

/** A list of values: JSON in the config file, separated by commas in a flag or variable. */
export const list = (word: z.ZodString) =>
  z.union([
    z.array(word),
    z
      .string()
      .transform((text) => text.split(",").flatMap((one) => one.trim() || []))
      .pipe(z.array(word)),
  ]);
/** A name that could never be met would let nobody in and say nothing. */
export const hostName = z
  .string()
  .regex(/^[^\s:/*?#@]+$/, "must be a name without scheme, port or path, such as cairn.internal");
export const origin = z
  .string()
  .refine(
    isOrigin,
    "must be an origin as browsers send it: scheme, host and port, without a path or a slash at its end",
  );

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  // Extensions and desktop shells have schemes whose origin the URL standard leaves open.
  return url?.origin === text || (url?.origin === "null" && /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(text));
}

/** An address of version 6 is written with brackets in a URL, and without them here. */
export const host = z
  .string()
  .min(1)
  .transform((text) => /^\[(.*)\]$/.exec(text)?.[1] ?? text);
const RATE = "must be a number from 0 on";
export const rate = spelled(z.number(RATE).min(0, RATE));

/** Nothing in an address is secret, so that a message may tell it: a key has a setting of its own. */
export const endpoint = z
  .string()
  .refine(isEndpoint, "must be an http or https address without user name, password, query or fragment");
/** What a header can carry; the text itself is never repeated in a message. */
export const headerKey = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII characters without spaces");

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "");
}

/** A JSON text, or what the config file holds in its place. */
const parsed = (value: unknown): unknown => {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value;
  }
};
const SkillTarget = z.strictObject({
  dir: z.string().min(1),
  mode: z.enum(["owned", "additive"]),
  register: z.boolean().default(false),
});
export const skillTargets = z.preprocess(parsed, z.array(SkillTarget).max(100));

/** Holds a password as a rule, so that the text itself is never repeated in a message. */
export const database = z
  .string()
  .refine(
    (text) => readDatabaseAddress(text) !== null,
    "must be a postgres or postgresql address, such as postgres://user@host:5432/name, with what is special in a password written as %40",
  );

/** May hold a password, so that the text itself is never repeated in a message. */
export const redis = z
  .string()
  .refine(
    (text) => ["redis:", "rediss:"].includes(URL.parse(text)?.protocol ?? ""),
    "must be a redis or rediss address",
  );
