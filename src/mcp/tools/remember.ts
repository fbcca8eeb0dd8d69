import { z } from "zod";
import { VISIBILITIES } from "../../core/schema/access.ts";
import { BULK_MAX, BulkResult, Content, Memory, MemoryItem } from "../../core/schema/memory.ts";
import { OwnType } from "../enumerations.ts";
import { writtenIn } from "../places/place.ts";
import { isNewProject } from "../places/projects.ts";
import { SaveFindings, saveFindingLines, saveFindings } from "../save-findings.ts";
import { ScopeAnswer, ScopeArguments, scopeAnswer } from "../scope.ts";
import { Told, told } from "../told.ts";
import type { ToolCall } from "../tool.ts";
import { tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const Saved = z.object({
  id: z.string().nullable(),
  outcome: z.enum(["saved", "already there", "refused"]),
  error: z.string().nullish(),
});

const Answer = z.object({
  saved: z.array(Saved),
  ...SaveFindings.shape,
  ...ScopeAnswer,
  is_new_project: z.boolean(),
});

/** Saves statements, and tells what they meet. */
export const remember = tool({
  name: "remember",
  title: "Save a memory",
  description:
    "Save what should outlast this conversation: a decision and its reason, a fact, a preference, how something is done. " +
    "One whole statement a note, names instead of 'it'. Answers with earlier memories that say nearly the same or the contrary: correct or forget what is wrong.",
  input: z.strictObject({
    content: Content.describe("One statement.").optional(),
    notes: z
      .array(Content.describe("One statement."))
      .min(1)
      .max(BULK_MAX)
      .optional()
      .describe("Several statements, in place of content."),
    memory_type: OwnType.optional(),
    tags: z.array(z.string().max(100)).max(100).optional(),
    source_uri: MemoryItem.shape.source_uri.unwrap().unwrap().optional().describe("Where it is from: a file, a URL."),
    visibility: z
      .enum(VISIBILITIES)
      .optional()
      .describe("scope_agent only you, scope_team the project (usual), scope_org everyone (usual outside one)."),
    ...ScopeArguments,
  }),
  output: Answer,
  saves: () => true,
  async run(call, { content, notes, project: _, agent_id: __, ...item }) {
    const texts = notes ?? (content === undefined ? [] : [content]);
    if (texts.length === 0 || (notes && content !== undefined))
      throw new ToolError("INVALID_ARGUMENTS", "Give either content, one statement, or notes, several.");
    const saved = texts.length === 1 ? [await saveOne(call, texts[0] ?? "", item)] : await saveAll(call, texts, item);
    const ids = saved.flatMap(({ id, outcome }) => (id !== null && outcome === "saved" ? [id] : []));
    const [found, is_new_project] = await Promise.all([saveFindings(call, ids, texts), isNewProject(call, ids)]);
    const isForEveryone = call.scope.place.kind === "everyone" && item.visibility !== "scope_agent";
    const met = isForEveryone ? { ...found, note: withWayBack(ids, found.note) } : found;
    const structured = { saved, ...met, ...scopeAnswer(call.scope), is_new_project };
    return { structured, text: Told.lines([...savedLines(structured, item.visibility), ...saveFindingLines(met)]) };
  },
});

/** How what was saved outside any project comes into one. */
function withWayBack(ids: readonly string[], note: string | null): string | null {
  if (ids.length === 0) return note;
  const named = ids.length > NAMED_MAX ? "ID..." : ids.join(" ");
  const way = `No project was named: every project sees this. \`cairn move ${named} --to PROJECT\` changes that; the argument project names one next time.`;
  return note === null ? way : `${note} ${way}`;
}
const NAMED_MAX = 3;

type Item = Readonly<Record<string, unknown>>;

/** Whose a new memory is. Outside any project it is for everyone, whatever its writer's home is. */
const ownerOf = ({ scope: { agent_id, place } }: ToolCall) => ({ agent_id, ...writtenIn(place) });

async function saveOne(call: ToolCall, content: string, item: Item): Promise<z.infer<typeof Saved>> {
  try {
    const body = { ...ownerOf(call), ...item, content };
    const memory = Memory.pick({ id: true }).parse(await call.ask("writeMemory", { body }));
    return { id: memory.id, outcome: "saved" };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "DUPLICATE_MEMORY") throw error;
    const existing = z.object({ existing_id: z.string() }).safeParse(error.details).data?.existing_id ?? null;
    return { id: existing, outcome: "already there" };
  }
}

async function saveAll(call: ToolCall, texts: readonly string[], item: Item): Promise<z.infer<typeof Saved>[]> {
  const body = { ...ownerOf(call), items: texts.map((content) => ({ ...item, content })) };
  const { results } = BulkResult.parse(await call.ask("writeMemories", { body }));
  return results.map(({ status, id, duplicate_of, error }) =>
    status === "error"
      ? { id: null, outcome: "refused", error }
      : { id: id ?? duplicate_of, outcome: status === "created" ? "saved" : "already there" },
  );
}

function savedLines(
  { saved, project, project_source, is_new_project }: z.infer<typeof Answer>,
  visibility: string | undefined,
): Told[] {
  const named = project === null ? null : Told.name(project);
  const where = named
    ? told`project ${named} (${project_source})`
    : visibility === "scope_agent"
      ? told`for you alone, in every project`
      : told`for everyone, in every project`;
  const lines = saved.map(({ id, outcome, error }) => told`${[outcome, id, error].filter(Boolean).join(" ")}`);
  return [
    told`${Told.lines(lines, "; ")} - ${where}.`,
    ...(is_new_project && named ? [told`New project: nothing was in ${named} before.`] : []),
  ];
}
