import type { Ctx } from "../core/ports/context.ts";
import type { ToolDescriptions } from "../core/schema/system.ts";

/** The tools that MCP has, with their descriptions; with `enriched`, also whether a client sees them only when it asks for all. */
export async function toolDescriptions(ctx: Ctx, { enriched }: { enriched: boolean }): Promise<ToolDescriptions> {
  const tools = await ctx.toolTexts();
  return Object.fromEntries(
    tools.map(({ name, description, stm_only }) => [name, enriched ? { description, stm_only } : description]),
  );
}
