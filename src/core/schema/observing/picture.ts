import { z } from "zod";
import { AgentId, FleetId, TenantId } from "../common.ts";

/** Whose memories a picture shows. */
export const PictureQuery = z.object({
  tenant_id: TenantId,
  agent_id: AgentId.optional().describe("Who is looking: sees its own private memories plus all shared ones."),
  fleet_id: FleetId.optional().describe("Only memories of this fleet: of one project."),
});
export type PictureQuery = z.infer<typeof PictureQuery>;
