import { z } from "zod";
import { VISIBILITIES } from "../../core/schema/access.ts";
import { BULK_MAX, BulkResult, Content, Memory, MemoryItem } from "../../core/schema/memory.ts";
import { OwnType } from "../enumerations.ts";
import { isNewProject } from "../projects.ts";
import { SaveFindings, saveFindingLines, saveFindings } from "../save-findings.ts";
import { ScopeAnswer, ScopeArguments } from "../scope.ts";
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
      .describe("Several statements at once, in place of content."),
    memory_type: OwnType.optional(),
    tags: z.array(z.string().max(100)).max(100).optional(),
    source_uri: MemoryItem.shape.source_uri.unwrap().unwrap().optional().describe("Where it is from: a file, a URL."),
    visibility: z
      .enum(VISIBILITIES)
      .optional()
      .describe(
        "Who sees it: scope_agent only you, scope_team the project (usual), scope_org everyone (usual without a project).",
      ),
    ...ScopeArguments,
  }),
  output: Answer,
  async run(call, { content, notes, project: _, agent_id: __, ...item }) {
    const texts = notes ?? (content === undefined ? [] : [content]);
    if (texts.length === 0 || (notes && content !== undefined))
      throw new ToolError("INVALID_ARGUMENTS", "Give either content, one statement, or notes, several.");
    const saved = texts.length === 1 ? [await saveOne(call, texts[0] ?? "", item)] : await saveAll(call, texts, item);
    const ids = saved.flatMap(({ id, outcome }) => (id !== null && outcome === "saved" ? [id] : []));
    const [met, is_new_project] = await Promise.all([saveFindings(call, ids, texts), isNewProject(call, ids)]);
    const { project, project_source } = call.scope;
    const structured = { saved, ...met, project, project_source, is_new_project };
    return { structured, text: Told.lines([...savedLines(structured), ...saveFindingLines(met)]) };
  },
});

type Item = Readonly<Record<string, unknown>>;

/**
 * Whose a new memory is. Without a project it is for all of them: its writer's home would otherwise take it, and whoever works
 * elsewhere would not find it.
 */
const ownerOf = ({ scope: { agent_id, project } }: ToolCall) =>
  project === null ? { agent_id, visibility: "scope_org" } : { agent_id, fleet_id: project };

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

function savedLines({ saved, project, project_source, is_new_project }: z.infer<typeof Answer>): Told[] {
  const named = project === null ? null : Told.name(project);
  const where =
    named === null ? told`for every project, as none was named` : told`project ${named} (${project_source})`;
  const lines = saved.map(({ id, outcome, error }) => told`${[outcome, id, error].filter(Boolean).join(" ")}`);
  return [
    told`${Told.lines(lines, "; ")} - ${where}.`,
    ...(is_new_project && named ? [told`New project: nothing was in ${named} before.`] : []),
  ];
}
