import { z } from "zod";
import { Uuid } from "../../core/schema/common.ts";
import { FleetList } from "../../core/schema/memory-change.ts";
import { ProjectList } from "../../core/schema/projects/project.ts";
import { countedIn } from "../places/place.ts";
import { LookedAt, ScopeArguments } from "../scope.ts";
import { Told } from "../told.ts";
import { tool } from "../tool.ts";

const Result = z.object({ result: z.record(z.string(), z.unknown()) });
const answerOf = (result: unknown) => {
  const record = Array.isArray(result) ? { items: result } : Result.shape.result.parse(result);
  return { structured: { result: record }, text: Told.json(record) };
};

/** Is Cairn well, and what does it hold? */
export const status = tool({
  name: "status",
  title: "Status",
  description: "Is Cairn well, what waits to be done, and how many memories of each type and agent there are.",
  reads: true,
  input: z.strictObject({ project: LookedAt }),
  output: Result,
  async run({ ask, scope }) {
    const [server, memories] = await Promise.all([
      ask("status", {}),
      ask("memoryStats", { query: countedIn(scope.place) }),
    ]);
    return answerOf({ server, memories });
  },
});

/** What stands against a memory. */
export const contradictions = tool({
  name: "contradictions",
  title: "Contradictions",
  description: "What contradicts or replaced a memory, by which rule, and which words clash.",
  reads: true,
  input: z.strictObject({ id: Uuid, agent_id: ScopeArguments.agent_id }),
  output: Result,
  run: async ({ ask, scope: { agent_id } }, { id }) =>
    answerOf(await ask("getContradictions", { params: { memory_id: id }, query: { agent_id } })),
});

/** People, things and how they are related. */
export const entities = tool({
  name: "entities",
  title: "Entities",
  description: "People, services and things that memories name; with an id one of them, with its relations.",
  reads: true,
  input: z.strictObject({
    id: Uuid.optional(),
    search: z.string().max(200).optional(),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: Result,
  run: async ({ ask }, { id, search, limit }) =>
    answerOf(
      id === undefined
        ? await ask("listEntities", { query: { search, limit } })
        : await ask("getEntity", { params: { entity_id: id } }),
    ),
});

/** Who writes here. */
export const agents = tool({
  name: "agents",
  title: "Agents",
  description: "Agents that have written, with trust and home project.",
  reads: true,
  input: z.strictObject({}),
  output: Result,
  run: async ({ ask }) => answerOf(await ask("listAgents", { query: {} })),
});

/** Where memories lie. */
export const projects = tool({
  name: "projects",
  title: "Projects",
  description: "Projects that hold memories, largest first, and the names that mean them.",
  reads: true,
  input: z.strictObject({}),
  output: Result,
  async run({ ask }) {
    const [held, known] = await Promise.all([ask("listFleets", {}), ask("listProjects", {})]);
    const names = new Map(ProjectList.parse(known).items.map(({ id, name, names }) => [id, { name, names }]));
    return answerOf(FleetList.parse(held).map((fleet) => ({ ...fleet, ...names.get(fleet.fleet_id) })));
  },
});

/** Who changed what. */
export const audit = tool({
  name: "audit",
  title: "History",
  description: "Who changed what, newest first: of one memory with its id. For administrators.",
  reads: true,
  input: z.strictObject({ id: Uuid.optional(), limit: z.int().min(1).max(100).default(20) }),
  output: Result,
  run: async ({ ask }, { id, limit }) => answerOf(await ask("listAudit", { query: { target_id: id, limit } })),
});
