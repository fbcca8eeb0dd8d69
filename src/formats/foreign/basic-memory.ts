import { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import { characterCount } from "../../core/kernel/text.ts";
import { CONTENT_MIN, type MemoryType } from "../../core/schema/memory.ts";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { frontMatterOf } from "./front-matter.ts";
import { observationOf, relationOf } from "./note-items.ts";
import { noneOf } from "./shared/files.ts";
import { entityLines, relationLines } from "./shared/graph.ts";
import { inOrder } from "./shared/in-order.ts";
import { memoryLines } from "./shared/memory.ts";
import { paragraphsOf, plainLines } from "./shared/paragraphs.ts";
import { headOf } from "./shared/shape.ts";
import type { Written } from "./shared/times.ts";
import { timestampOf } from "./shared/times.ts";

const TOOL = "basic-memory";
/** So many notes of a folder are looked at to learn whether it is one of basic-memory. */
const LOOKED_AT = 50;

const word = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish().catch(null);
const words = z.union([z.array(z.string()), z.string().transform((list) => list.split(","))]).catch([]);
const FrontMatter = z.object({
  title: word,
  type: word,
  permalink: word,
  tags: words,
  created: word,
  modified: word,
  project: word,
});

/** Categories that mean the same here; of others Cairn infers the type. */
const TYPES: Readonly<Record<string, MemoryType>> = {
  decision: "decision",
  preference: "preference",
  plan: "plan",
  task: "task",
  todo: "task",
  fact: "fact",
};

/** A folder of Markdown notes with observations and relations. */
export const basicMemory: FormatReader = {
  name: TOOL,
  title: "Notes of basic-memory: observations, relations and paragraphs",
  isExport: false,
  detects: async (source) => {
    for (const file of notesOf(source).slice(0, LOOKED_AT)) if (isNote(await headOf(file))) return true;
    return false;
  },
  read: readNotes,
};

const notesOf = (source: Source): SourceFile[] => source.files.filter(({ path }) => /\.(?:md|markdown)$/i.test(path));

/** By the fields that basic-memory writes in front of each note, or by items that only it has. */
function isNote(head: string): boolean {
  const { front_matter, body } = frontMatterOf(head);
  if (front_matter.permalink && front_matter.title && front_matter.type) return true;
  const isSection = /^##\s+(?:Observations|Relations)\s*$/m.test(body);
  return isSection && plainLines(body).some(({ text }) => observationOf(text)?.category || relationOf(text));
}

async function* readNotes(source: Source): AsyncIterable<ReadLine> {
  const lines: ReadLine[] = [];
  for (const file of notesOf(source)) lines.push(...(await noteLines(file)));
  if (lines.length === 0) throw await noneOf(source, "a note of basic-memory, nor a folder of them");
  yield* inOrder(lines);
}

async function noteLines(file: SourceFile): Promise<ReadLine[]> {
  try {
    return linesOf(file, await file.text());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ place: { file: file.path, line: 1 }, fault: error.message }];
  }
}

interface Note {
  readonly title: string;
  readonly type: string | null | undefined;
  readonly permalink: string;
  readonly project: string | null | undefined;
  readonly tags: readonly string[];
  readonly at: string;
  /** As the note has it. */
  readonly created: Written;
  readonly updated_at: string | null;
}

function linesOf(file: SourceFile, text: string): ReadLine[] {
  const { front_matter, fault, body, line: first } = frontMatterOf(text);
  const fields = FrontMatter.parse(front_matter);
  const stem = file.path.slice(file.path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const note: Note = {
    title: fields.title || stem,
    type: fields.type,
    permalink: fields.permalink || file.path.replace(/\.\w+$/, ""),
    project: fields.project,
    tags: fields.tags,
    at: timestampOf(fields.created) ?? file.changed_at,
    created: fields.created,
    updated_at: timestampOf(fields.modified),
  };
  const placeOf = (line: number): Place => ({ file: file.path, line: first + line - 1 });
  return [
    ...(fault === null ? [] : [{ place: { file: file.path, line: 1 }, fault }]),
    ...plainLines(body).flatMap(({ text: item, line }) => itemLines(placeOf(line), note, item)),
    ...proseLines(placeOf, note, body),
  ];
}

function itemLines(place: Place, note: Note, line: string): ReadLine[] {
  const relation = relationOf(line);
  if (relation) return edgeLines(place, note, relation);
  const observation = observationOf(line);
  if (!observation) return [];
  const { category, text, tags } = observation;
  return memoryLines(place, {
    ...statementOf(note, text),
    memory_type: TYPES[category ?? ""],
    tags: [...note.tags, ...tags, ...(category === null ? [] : [category])],
    imported: { ...originOf(note), category },
  });
}

function edgeLines(
  place: Place,
  { title, type, at, project }: Note,
  relation: { type: string; target: string },
): ReadLine[] {
  return [
    ...entityLines(place, { tool: TOOL, name: title, type, at, project }),
    ...entityLines(place, { tool: TOOL, name: relation.target, at, project }),
    ...relationLines(place, { tool: TOOL, from: title, type: relation.type, to: relation.target, at, project }),
  ];
}

/** What is neither an observation nor a relation; paragraphs of a word or two say nothing. */
const proseLines = (placeOf: (line: number) => Place, note: Note, body: string): ReadLine[] =>
  paragraphsOf(body, (line) => observationOf(line) !== null || relationOf(line) !== null)
    .filter(({ text }) => characterCount(text) >= CONTENT_MIN)
    .flatMap(({ heading, text, line }) =>
      memoryLines(placeOf(line), {
        ...statementOf(note, text),
        subject: heading === null || heading === note.title ? note.title : `${note.title}, ${heading}`,
        tags: note.tags,
        imported: { ...originOf(note), heading },
      }),
    );

const statementOf = ({ title, permalink, project, at, created }: Note, text: string) => ({
  tool: TOOL,
  id: [permalink, text],
  text,
  subject: title,
  title,
  project,
  created_at: [created, at],
});

const originOf = ({ permalink, type, updated_at }: Note) => ({ id: permalink, type, updated_at });
