import { z } from "zod";

export const VISIBILITIES = ["scope_agent", "scope_team", "scope_org"] as const;
export const Visibility = z
  .enum(VISIBILITIES)
  .meta({ id: "Visibility", description: "Who may see a memory: its agent alone, its fleet, or the whole tenant." });
export type Visibility = z.infer<typeof Visibility>;

export const AUTH_SOURCES = ["gateway-header", "api-key", "standalone", "anonymous"] as const;
export type AuthSource = (typeof AUTH_SOURCES)[number];

/** By which door a call came: MCP's tools are called by models, whoever's credential they carry. */
export type Door = "http" | "mcp";

/** Trust levels: 0 restricted, 1 standard, 2 reads across fleets and governs, 3 administers. */
export type TrustLevel = 0 | 1 | 2 | 3;
/** What an agent has that nobody gave another trust. */
export const NEW_AGENT_TRUST: TrustLevel = 1;

/** The resolved caller. Never null: an anonymous caller is a principal without a tenant. */
export interface Principal {
  readonly tenant_id: string | null;
  readonly agent_id: string | null;
  readonly fleet_id: string | null;
  readonly trust: TrustLevel;
  readonly admin: boolean;
  /** Runs the machine: whom nobody asks for a key on it, or who has the one shared key. The whole store is theirs. */
  readonly owner: boolean;
  /** Is, besides, the account that runs the server, whose files it may name. A shared key goes from hand to hand. */
  readonly account: boolean;
  readonly auth_source: AuthSource;
}
