import { z } from "zod";
import { Uuid } from "../../core/schema/common.ts";
import { Content } from "../../core/schema/memory.ts";
import { Corrected } from "../../core/schema/memory-change.ts";
import { SaveFindings, saveFindingLines, saveFindings } from "../save-findings.ts";
import { ScopeArguments } from "../scope.ts";
import { asSeen, SeenVersion, seenVersions, Version } from "../seen.ts";
import { Told, told } from "../told.ts";
import { tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

/** Puts right what a memory says. */
export const correct = tool({
  name: "correct",
  title: "Correct a memory",
  description:
    "A memory is no longer true, or never was. `changed` (usual) saves the new statement, which replaces the old one and keeps it as history; `wrong` mends the text in place, for slips.",
  input: z.strictObject({
    id: Uuid,
    content: Content.describe("The whole statement as it holds now."),
    because: z.enum(["changed", "wrong"]).default("changed"),
    version: SeenVersion,
    agent_id: ScopeArguments.agent_id,
  }),
  output: z.object({
    id: z.string().describe("The memory that now holds."),
    replaced: z.string().nullable().describe("The one that no longer does; null when mended in place."),
    replaced_status: z.string().nullable(),
    ...SaveFindings.shape,
  }),
  async run(call, { id: memory_id, content, because, version }) {
    const query = { agent_id: call.scope.agent_id };
    const request = { params: { memory_id }, query, body: { content }, version };
    if (because === "wrong") {
      await asSeen(call.ask("patchMemory", request));
      const met = await saveFindings(call, [memory_id], [content]);
      const structured = { id: memory_id, replaced: null, replaced_status: null, ...met };
      return { structured, text: Told.lines([told`Mended ${memory_id}.`, ...saveFindingLines(met)]) };
    }
    const { id, replaced, replaced_status } = Corrected.parse(await asSeen(call.ask("correctMemory", request)));
    const all = await saveFindings(call, [id], [content]);
    const met = { ...all, contradicts: all.contradicts.filter((one) => one.id !== replaced) };
    return {
      structured: { id, replaced, replaced_status, ...met },
      text: Told.lines([
        told`Saved ${id}; ${replaced} is ${replaced_status} now and stays as history.`,
        ...saveFindingLines(met),
      ]),
    };
  },
});

const Refused = z.object({ id: z.string(), code: z.string(), message: z.string() });

/** Hides memories, or brings them back. */
export const forget = tool({
  name: "forget",
  title: "Forget memories",
  description:
    "Delete memories that should not have been saved. Reversible for some weeks with undo. For what merely changed, use correct.",
  destroys: true,
  repeats: true,
  input: z.strictObject({
    ids: z.array(Uuid).min(1).max(100),
    versions: z.array(Version).max(100).optional().describe("Of each id; what changed since stays."),
    undo: z.boolean().default(false).describe("Bring them back."),
    agent_id: ScopeArguments.agent_id,
  }),
  output: z.object({ done: z.array(z.string()), missing: z.array(z.string()), refused: z.array(Refused) }),
  async run(call, { ids, versions, undo }) {
    const versionOf = seenVersions(ids, versions);
    const operation = undo ? "restoreMemory" : "removeMemory";
    const query = { agent_id: call.scope.agent_id };
    const done: string[] = [];
    const refused: z.infer<typeof Refused>[] = [];
    for (const id of new Set(ids)) {
      try {
        const request = { params: { memory_id: id }, query };
        await asSeen(call.ask(operation, undo ? request : { ...request, version: versionOf.get(id) }));
        done.push(id);
      } catch (error) {
        // Of a longer list what was done before is told, too.
        if (!(error instanceof ToolError) || (ids.length === 1 && error.code !== "NOT_FOUND")) throw error;
        refused.push({ id, code: error.code, message: error.message });
      }
    }
    const missing = refused.filter(({ code }) => code === "NOT_FOUND").map(({ id }) => id);
    const others = refused.filter(({ code }) => code !== "NOT_FOUND");
    const parts = [
      told`${undo ? "Brought back" : "Forgot"} ${done.length}.`,
      ...(missing.length > 0 ? [told`Not there: ${missing.join(", ")}.`] : []),
      ...others.map(({ id, message }) => told`Not ${id}: ${message}`),
      ...(undo || done.length === 0 ? [] : [told`To bring them back, call forget with the same ids and undo.`]),
    ];
    return { structured: { done, missing, refused: others }, text: Told.lines(parts, " ") };
  },
});
