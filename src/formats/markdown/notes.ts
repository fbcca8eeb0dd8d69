import type { JsonObject } from "../../core/kernel/json.ts";
import { characterCount, preview } from "../../core/kernel/text.ts";
import type { MemoryType } from "../../core/schema/memory.ts";
import { CONTENT_MAX, CONTENT_MIN } from "../../core/schema/memory.ts";
import { noteIds } from "../note-ids.ts";
import type { ReadLine } from "../reader.ts";
import type { ReadMemory } from "../records.ts";
import { unreadDate } from "../unread-date.ts";
import type { BadBlock, Block } from "./block.ts";
import { blocksOf } from "./blocks.ts";
import type { NoteFields } from "./fields.ts";
import { dateOfHeading, dayOfEntry, dayOfPath, orderedMoments } from "./moments.ts";
import { piecesOf } from "./pieces.ts";
import { saysNothing } from "./placeholder.ts";
import { subjectOf, titleOfPath } from "./subject.ts";

/** Characters up to which a text is stored with what it is about in front: a longer one speaks for itself. */
const SUBJECT_WITHIN = 500;
/** Characters of what is left out, as it is told. */
const SHOWN = 40;

/** A text to read as notes, with what its front matter says. */
export interface Note {
  readonly path: string;
  readonly changed_at: string;
  readonly fields: NoteFields;
  readonly body: string;
  /** The line of the file that `body` begins in. */
  readonly line: number;
  readonly fleet_id?: string | null | undefined;
  /** Keep it as one memory where its length allows. */
  readonly whole?: boolean;
}

export interface NoteRules {
  readonly format: string;
  /** What kind of memory a text is, where its format tells. */
  readonly typeOf?: (text: string) => MemoryType | null;
}

/** Reads notes into memories; one reader for all files of a source, so that what is said later is newer. */
export function noteReader({ format, typeOf }: NoteRules): (note: Note) => Generator<ReadLine> {
  const idOf = noteIds(format);
  const momentOf = orderedMoments();
  const kindOf = ({ fields }: Note, { text, checked }: Block): MemoryType | null =>
    fields.type ?? (checked === null ? (typeOf?.(text) ?? null) : "task");

  function* memories(note: Note, block: Block, alone: boolean): Generator<ReadLine> {
    const place = { file: note.path, line: note.line + block.line - 1 };
    if (saysNothing(block.text)) {
      yield { place, leftOut: `"${preview(block.text, SHOWN)}" says nothing of itself: left out` };
      return;
    }
    const text = said(block);
    const subject = subjectOf(stepsOf(note, block), text, note.changed_at);
    for (const piece of piecesOf(text, CONTENT_MAX)) {
      const content = (piece.length <= SUBJECT_WITHIN ? about(subject, piece) : piece).trim();
      const length = characterCount(content);
      if (length < CONTENT_MIN) {
        yield { place, fault: tooShort(content, length) };
        continue;
      }
      const title = (alone && note.fields.title) || (content === piece ? subject : "");
      const record: ReadMemory = {
        record: "memory",
        id: idOf(note.path, content),
        content,
        created_at: momentOf(momentFor(note, block)),
        ...given({ title, memory_type: kindOf(note, block), status: statusOf(block) }),
        ...sharedBy(note),
        metadata: metadataOf(note, block, { format, line: place.line }),
      };
      yield { place, record };
    }
  }

  function* records(note: Note): Generator<ReadLine> {
    const blocks = isWhole(note) ? [asOne(note)] : underDates(blocksOf(note.body), note);
    for (const block of blocks) {
      const place = { file: note.path, line: note.line + block.line - 1 };
      if ("fault" in block) yield { place, fault: block.fault };
      else yield* memories(note, block, blocks.length === 1);
    }
  }

  return function* read(note) {
    let remarks = remarksOf(note);
    for (const line of records(note)) {
      if (!("record" in line) || remarks.length === 0) yield line;
      else {
        yield { ...line, remarks };
        remarks = [];
      }
    }
  };
}

/** That a date of the front matter cannot be read, once for all that a note says. */
const remarksOf = ({ fields: { unread_dates, created_at }, path, changed_at }: Note): string[] =>
  unread_dates.map(([key, written]) => unreadDate(key, written, created_at ?? dayOfPath(path) ?? changed_at));

/** The blocks that say something; one that is only a date stands for a heading above those after it. */
function underDates(blocks: Iterable<Block | BadBlock>, { changed_at }: Note): (Block | BadBlock)[] {
  const telling: (Block | BadBlock)[] = [];
  let date: Block | null = null;
  for (const block of blocks) {
    if ("fault" in block) telling.push(block);
    else if (isDate(block.text, changed_at)) date = block;
    else if (date && isBelow(block, date)) telling.push({ ...block, headings: [...block.headings, date.text] });
    else telling.push(block);
  }
  return telling;
}

const DATE_MAX = 60;
const isDate = (text: string, written: string): boolean =>
  text.length <= DATE_MAX && dateOfHeading(text, written)?.alone === true;

const isBelow = ({ headings }: Block, date: Block): boolean =>
  headings.length === date.headings.length && headings.every((heading, i) => heading === date.headings[i]);

/** The fields that a source has something for; what it leaves open is read from the text. */
const given = <T extends object>(fields: T): { [Field in keyof T]?: NonNullable<T[Field]> } =>
  // Safe: only members that are null or empty are left out.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== "")) as {
    [Field in keyof T]?: NonNullable<T[Field]>;
  };

/** What all memories of a note have. */
const sharedBy = ({ path, fields: { address, author, tags }, fleet_id }: Note) => ({
  source_uri: address ?? preview(path, SOURCE_MAX),
  ...given({ agent_id: author, tags: tags.length > 0 ? [...tags] : null }),
  ...(fleet_id === undefined ? {} : { fleet_id }),
});

/** Where a task stands; null for what is none. */
const statusOf = ({ checked }: Block): "active" | "pending" | null =>
  checked === null ? null : checked ? "active" : "pending";

const SOURCE_MAX = 2_000;

const isWhole = ({ whole, body }: Note): boolean => whole === true && body.length <= CONTENT_MAX && body.trim() !== "";

/** A text as a single piece. */
function asOne({ body }: Note): Block {
  const lead = body.length - body.trimStart().length;
  const line = body.slice(0, lead).split("\n").length;
  return { line, headings: [], under: [], text: body.trim(), checked: null };
}

/** What was done is told as done. */
const said = ({ text, checked }: Block): string => (checked === true ? `[x] ${text}` : text);

/** From the widest to the narrowest. A heading of the file's own title is not said twice. */
function stepsOf({ fields, path }: Note, { headings, under }: Block): string[] {
  const title = fields.title ?? (headings.length === 0 || isOnlyDate(headings) ? titleOfPath(path) : null);
  return [...(title === null ? [] : [title]), ...headings, ...under];
}

const isOnlyDate = (headings: readonly string[]): boolean =>
  headings.every((heading) => /^[\d\s.,/_-]+$/.test(heading));

/** Only " — " is no mark of a speaker: "Code style: ..." would make a person of a heading. */
const about = (subject: string, text: string): string => {
  if (subject === "") return text;
  return text.startsWith("```") || text.startsWith("~~~") ? `${subject}\n${text}` : `${subject} — ${text}`;
};

const tooShort = (content: string, length: number): string =>
  `"${content}" is too short for a memory (${length} of ${CONTENT_MIN} characters): put it under a heading that says what it is about.`;

/** When it was said: as the nearest heading or the entry itself says, else the front matter, the name, the time of the file. */
function momentFor({ fields, path, changed_at }: Note, { headings, under, text }: Block): string {
  const entry = dayOfEntry(text);
  if (entry !== null) return entry;
  const dated = [...headings, ...under].toReversed().flatMap((heading) => dateOfHeading(heading, changed_at) ?? []);
  return dated[0]?.moment ?? fields.created_at ?? dayOfPath(path) ?? changed_at;
}

interface ReadAs {
  readonly format: string;
  readonly line: number;
}

const metadataOf = ({ fields, path }: Note, { headings }: Block, { format, line }: ReadAs): JsonObject => ({
  ...fields.others,
  imported_from: { format, file: path, line, headings: [...headings] },
});
