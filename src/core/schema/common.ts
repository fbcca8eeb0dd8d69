import { z } from "zod";
import { DAY_MS, toTimestamp } from "../kernel/clock.ts";
import type { JsonObject } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/json.ts";
import { isShownWhole } from "../kernel/quoting/unseen.ts";
import { characterCount } from "../kernel/text.ts";

/** Bounds of free-text identifiers; generous, so that no real name is refused. */
export const NAME_MAX = 200;
const URI_MAX = 2_000;

interface LengthFaults {
  /** Told how many characters there are. */
  readonly short?: (length: number) => string;
  readonly long?: string;
}

/**
 * A text of so many characters, counted as people and other languages do: where zod takes an emoji for two, this takes it
 * for one.
 */
export const countedText = (min: number, max: number, base = z.string(), { short, long }: LengthFaults = {}) =>
  base
    .check(({ value: input, issues }) => {
      // A text of more than two units a character is too long however it is counted; counting takes longer than reading it.
      const length = input.length > 2 * max ? input.length : characterCount(input);
      // What else is wrong with the body is told, too.
      const found = { origin: "string", inclusive: true, input, continue: true } as const;
      if (length < min)
        issues.push({ ...found, code: "too_small", minimum: min, ...(short ? { message: short(length) } : {}) });
      if (length > max) issues.push({ ...found, code: "too_big", maximum: max, ...(long ? { message: long } : {}) });
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });

/** The same, and not all of it space. */
export const textOf = (base: z.ZodString, min: number, max: number, faults?: LengthFaults) =>
  countedText(min, max, base, faults).meta({ pattern: "\\S" });

/** A name that may stand in a path: keystones and skills have one. */
export const SLUG = /^[a-z0-9][a-z0-9._-]{0,99}$/;

const name = (what: string) => textOf(z.string().trim(), 1, NAME_MAX).describe(what);

/** Left out of a request, the caller's own is filled in before the request is checked. */
export const TenantId = name("Tenant that owns the data: the caller's own, which is also meant when it is left out.");
export const FleetId = name("Fleet (a group of agents) the data belongs to.");
/** A fleet's name where a file, a remote or a model names it: one that a line can show. */
export const ProjectName = FleetId.refine((written) => isShownWhole(written), {
  error: "A project's name is one line without control characters",
});
export const AgentId = name("Agent that speaks or wrote.");
/** An agent's name as it gives it itself, where a line shows it. */
export const SpokenName = AgentId.refine((written) => isShownWhole(written));
export const RunId = name("Run (one session or task) the memory was written in; rows of one run are neighbours.");
export const SourceUri = countedText(0, URI_MAX);
/** An id as callers may write it, capitals included; stored ones are lower-case. */
export const Uuid = z.uuid().toLowerCase();

/** What a caller takes the state of a row to be: one of these versions, or `*` for any as long as there is one. */
export type Precondition = "*" | readonly string[];

/** Versions that a header names. Weak ones are the same to no server, so none of them is kept. */
function namedVersions(header: string, { issues }: z.RefinementCtx): Precondition {
  if (header.trim() === "*") return "*";
  const tags = [...header.matchAll(ENTITY_TAG)];
  if (tags.length > 0 && /^[\s,]*$/.test(header.replaceAll(ENTITY_TAG, "")))
    return tags.flatMap(([, weak, version = ""]) => (weak === undefined ? version : []));
  issues.push({ code: "custom", message: 'If-Match is * or a list of ETags, such as "1f0c5a2e9b7d"', input: header });
  return z.NEVER;
}
const ENTITY_TAG = /(W\/)?"([^"]*)"/g;

/** Of a request that changes one row. */
export const IfMatchHeaders = z.object({
  "if-match": z
    .string()
    .transform(namedVersions)
    .optional()
    .describe("ETags of the row as the caller read it: changed since, it is refused with 412 and left as it is."),
});
/** What a change is to hold the row against. */
export interface Expected {
  readonly if_match?: Precondition | undefined;
}

/** A moment in a reply. */
export const instant = () => z.string().meta({ format: "date-time" });

/** Of a row in a reply. */
export const Version = z
  .string()
  .describe("Another one with every change that a caller can make. The ETag of replies about one row; see If-Match.");

const dateTime = (parse: (text: string) => string | null) =>
  z
    .string()
    .max(64)
    .meta({ format: "date-time" })
    .transform((text, context) => {
      const instant = parse(text);
      if (instant !== null) return instant;
      context.addIssue({ code: "custom", message: momentFault(text), input: text });
      return z.NEVER;
    });

/** Instant in ISO 8601; a missing offset means UTC, a missing time means midnight. Parsed into UTC with milliseconds. */
export const Timestamp = dateTime((text) => parseInstant(text));
/** The same, parsed into what the clock on its wall shows, written as if that were UTC: its day is the writer's. */
export const WallTime = dateTime(parseWallTime);

/** What is wrong with a text that is no date-time, and how one is written. */
export function momentFault(text: string): string {
  const form = "a valid ISO 8601 date-time such as 2026-03-01T09:00:00Z, or a day such as 2026-03-01";
  const [day = ""] = /^\d{4}-\d\d-\d\d/.exec(text.trim()) ?? [];
  return `Input should be ${form}${day !== "" && !isDay(day) ? `; no calendar has ${day}` : ""}`;
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?\s*(?:[Zz]|[+-]\d\d:?\d\d)?$/;

/** The instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`, or null when the text is not an ISO 8601 date-time of years 1 to 9999. */
export function parseInstant(text: string): string | null {
  const trimmed = text.trim();
  if (!ISO_INSTANT.test(trimmed) || !isDay(trimmed.slice(0, 10))) return null;
  const iso = trimmed
    .replace(/(?<!\s)\s+(?=z|[+-])/i, "")
    .replace(" ", "T")
    .replace(",", ".");
  const hasTime = /t\d\d:/i.test(iso);
  const hasOffset = /(?:z|[+-]\d\d:?\d\d)$/i.test(iso.slice(10));
  const time_ms = Date.parse(hasTime && !hasOffset ? `${iso}Z` : iso);
  if (Number.isNaN(time_ms)) return null;
  const instant = toTimestamp(time_ms);
  return /^(?!0000)\d{4}-/.test(instant) ? instant : null;
}

/** An instant with its offset added: 23:30 at -08:00 is 23:30. Null as for instants. */
export function parseWallTime(text: string): string | null {
  const instant = parseInstant(text);
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(text.trim().slice(DAY_LENGTH)) ?? [];
  if (instant === null || sign === undefined) return instant;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return toTimestamp(Date.parse(instant) + (sign === "-" ? -offset : offset));
}

const DAY_LENGTH = "0000-00-00".length;
const MINUTE_MS = 60_000;

/** Date.parse takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time_ms = Date.parse(day);
  return !Number.isNaN(time_ms) && toTimestamp(time_ms).startsWith(day);
}

/** The offsets that clocks on a wall have, in minutes. */
const OFFSET_MAX = 14 * 60;

/** How far the clock on a caller's wall is ahead of UTC. */
export const UtcOffset = z.int().min(-OFFSET_MAX).max(OFFSET_MAX);
const WHOSE_DAY =
  "How far the caller's clock is ahead of UTC: a date without a time is the whole of that day by it. 0 unless given.";
/** The same beside dates that may stand without a time. */
export const DayOffset = UtcOffset.describe(WHOSE_DAY);

const ONLY_DAY = /^\d{4}-\d\d-\d\d$/;
const dayIn = (text: string): string | null => (ONLY_DAY.test(text) && isDay(text) ? text : null);

/** An instant, or a day, which stays one (`2026-03-01`) until it is known by whose clock. */
export const Moment = dateTime((text) => dayIn(text.trim()) ?? parseInstant(text));
/** When something ends: a date without a time is the last moment of that day. */
export const End = dateTime((text) => (dayIn(text.trim()) === null ? parseInstant(text) : lastMoment(text.trim())));

/** An instant of a moment that is a day, so long behind its beginning; an instant itself. */
function edgeOf<M extends string | undefined>(moment: M, later_ms: number, offset: number | null | undefined): M {
  if (moment === undefined || !ONLY_DAY.test(moment)) return moment;
  const at = Date.parse(moment) - (offset ?? 0) * MINUTE_MS + later_ms;
  // Safe: a text comes of a text.
  return toTimestamp(Math.min(LAST_MS, Math.max(FIRST_MS, at))) as M;
}

/** Timestamps beyond these years have more digits, and sort as if they were earlier. */
const [FIRST_MS, LAST_MS] = [Date.parse("0001-01-01"), Date.parse("9999-12-31T23:59:59.999Z")];

/** The instant that a moment is, or begins at; `offset` is that of `UtcOffset`. */
export const firstMoment = <M extends string | undefined>(moment: M, offset?: number | null): M =>
  edgeOf(moment, 0, offset);
/** The first instant behind a moment that is a day; an instant itself. */
export const momentBehind = <M extends string | undefined>(moment: M, offset?: number | null): M =>
  edgeOf(moment, DAY_MS, offset);
/** The instant that a moment is, or the last of its day. */
export const lastMoment = <M extends string | undefined>(moment: M, offset?: number | null): M =>
  edgeOf(moment, DAY_MS - 1, offset);

export const ValidAt = Moment.describe(
  "Answers as of this moment, or this day: what held then. A row holds from `ts_valid_start`, or from when it was written, up to `ts_valid_end`; one that was overtaken holds until its successor begins, and one that has expired until it expired. Rows that began later are left out, and so are archived, cancelled and deleted ones.",
);

/** The window of when something happened. */
export const HappenedWindow = {
  from: Moment.describe(
    "Only what happened then or later: by `ts_valid_start`, else the `reference_datetime` of its write, else when it was written.",
  ),
  to: Moment.describe("Only what happened then or earlier, likewise; a date without a time is in it as a whole."),
};

/**
 * A JSON object whose members are the caller's own. Safe: what comes from JSON.parse or is written by Cairn is JSON all the
 * way down; to walk and copy its members would prove nothing, and very many take long.
 */
export const JsonRecord = (z.any() as z.ZodType<JsonObject>)
  .check(({ value: input, issues }) => {
    if (!isJsonObject(input)) issues.push({ code: "invalid_type", expected: "record", input });
  })
  .meta({ type: "object", additionalProperties: {} });

/** A list of at most so many, counted before any of them is looked at. */
export const listOf = <T extends z.ZodType>(one: T, max: number, min = 0) =>
  z.preprocess((input, { issues }) => {
    if (!Array.isArray(input) || input.length <= max) return input;
    issues.push({ code: "too_big", origin: "array", maximum: max, inclusive: true, input });
    return z.NEVER;
  }, z.array(one).min(min).max(max));

export const Warning = z
  .object({ code: z.string(), message: z.string(), details: JsonRecord.optional() })
  .meta({ id: "Warning", description: "Something the caller should know although the call succeeded." });
export type Warning = z.infer<typeof Warning>;
