import { cutAt } from "../core/kernel/text.ts";
import type { MemoryType } from "../core/schema/memory.ts";
import type { NoteFields } from "./markdown/fields.ts";
import { gatheredRecords } from "./markdown/gathered.ts";
import type { Note } from "./markdown/notes.ts";
import { noteReader } from "./markdown/notes.ts";
import { isNotes, noteOf, partFile } from "./markdown/reader.ts";
import { keptProject, namedFolder } from "./project-folders.ts";
import type { FormatReader, ReadLine, Source, SourceFile } from "./reader.ts";

const FORMAT = "agent-files";
/** Files in which agents are told how to work. */
const INSTRUCTIONS =
  /(?:^|\/)(?:claude(?:\.local)?\.md|agents?(?:\.override)?\.md|gemini\.md|\.(?:cursor|windsurf|cline)rules|\.goosehints|copilot-instructions\.md|[^/]+\.instructions\.md|[^/]+\.mdc)$/i;
/** The index of a folder in which an agent keeps what it has learned. */
const INDEX = /(?:^|\/)memory\.md$/i;
/** Characters up to which a file of such a folder is one memory, as its agent wrote it. */
const WHOLE_MAX = 1_500;

/** Instructions to agents (CLAUDE.md, AGENTS.md, rules of editors) and the folders in which agents keep memories. */
export const agentFiles: FormatReader = {
  name: FORMAT,
  title: "Files for and by agents: CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, folders with MEMORY.md",
  isExport: false,
  async detects(source) {
    const isOfAgents = ofAgents(source);
    // In a folder that holds other notes too, these are not to be passed over.
    return source.files.some(isOfAgents) && source.files.filter(isNotes).every(isOfAgents);
  },
  read: readAgentFiles,
};

async function* readAgentFiles(source: Source): AsyncGenerator<ReadLine> {
  const records = gatheredRecords();
  const readNote = noteReader({ format: FORMAT, typeOf: typeOfInstruction });
  const files = source.files.length === 1 ? source.files : source.files.filter(ofAgents(source));
  const paths = new Set(source.files.map(({ path }) => path));
  const projectOf = projectsOf(source);
  for (const file of files) {
    const parted = await partFile(file, source);
    if ("fault" in parted) records.add({ place: { file: file.path, line: parted.line }, fault: parted.fault });
    else records.addAll(readNote({ ...agentNote(noteOf(file, parted), paths), ...(await projectOf(file)) }));
  }
  yield* records.all();
}

/** Whether a file of a source is one for or by agents. */
function ofAgents({ files }: Source): (file: SourceFile) => boolean {
  const folders = files.filter(({ path }) => INDEX.test(path)).map(({ path }) => folderOf(path));
  return (file) =>
    INSTRUCTIONS.test(file.path) || (isNotes(file) && folders.some((folder) => file.path.startsWith(folder)));
}

/** The project whose memories an agent keeps in the folder of a file, by the path of its folder; nothing for other files. */
function projectsOf({ folder }: Source): (file: SourceFile) => Promise<{ fleet_id?: string }> {
  const known = new Map<string, string>();
  return async ({ path }) => {
    const kept = keptProject(folder === undefined ? path : `${folder}/${path}`);
    if (kept === null) return {};
    const fleet_id = known.get(kept) ?? (await namedFolder(kept));
    known.set(kept, fleet_id);
    return { fleet_id };
  };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

function agentNote(note: Note, paths: ReadonlySet<string>): Note {
  if (INSTRUCTIONS.test(note.path)) return note;
  const whole = !INDEX.test(note.path) && note.fields.title !== null && note.body.length <= WHOLE_MAX;
  return { ...note, whole, body: withoutIndex(note, paths), fields: learnedFields(note.fields) };
}

const LINKED = /^\s*[-*+]\s.*?\]\(<?([^)>\s]+\.md)>?\)/;

/** An index without its links to files that are read themselves; its lines keep their numbers. */
function withoutIndex({ path, body }: Note, paths: ReadonlySet<string>): string {
  if (!INDEX.test(path)) return body;
  const isRead = (line: string): boolean => {
    const target = LINKED.exec(line)?.[1];
    return target !== undefined && paths.has(folderOf(path) + target.replace(/^\.\//, ""));
  };
  return body
    .split("\n")
    .map((line) => (isRead(line) ? "" : line))
    .join("\n");
}

/** What the kinds of memories that agents name are to Cairn. */
const LEARNED_TYPES: Readonly<Record<string, MemoryType>> = {
  feedback: "preference",
  user: "fact",
  project: "fact",
  reference: "fact",
};

/** A name such as "feedback_tests" is no title where a description says more. */
function learnedFields(fields: NoteFields): NoteFields {
  const { description, type } = fields.others;
  const isCode = fields.title !== null && !/\s/.test(fields.title);
  return {
    ...fields,
    title: isCode && typeof description === "string" ? description.slice(0, cutAt(description, 500)) : fields.title,
    type: fields.type ?? (typeof type === "string" ? (LEARNED_TYPES[type.toLowerCase()] ?? null) : null),
  };
}

/** Words that tell an agent how to work, and verbs that do so at the beginning. */
const TOLD =
  /\b(?:always|never|must|should|shall|do not|don['’]t|avoid|prefer(?:red)?|only|ensure|make sure|instead of|rather than)\b/i;
const VERB =
  /^(?:please )?(?:use|run|keep|write|add|put|name|follow|check|test|commit|ask|read|return|import|export|handle|format|document|update|create|place|store|call|set|include|stick|limit|start|stop|think|work|treat|respect|remember|explain|answer|leave|remove|wrap|validate|log|push|rebase|squash|sort|group|split|move|stay|be|give|let|no|mark|verify|review|build|deploy|install|define|declare|extract|favou?r|pin|mock|cover|fix|make|get|have)\b/i;

/** An instruction is a preference; what else stands there is read as other texts are. */
const typeOfInstruction = (text: string): MemoryType | null =>
  VERB.test(text) || TOLD.test(text) ? "preference" : null;
