import { nameOfFleet } from "../api/projects.ts";
import type { Visibility } from "../api/schemas.gen.ts";
import { Text } from "./text.tsx";

interface Placed {
  readonly fleet_id: string | null;
  /** Left out for what has none, and is its project's or everyone's. */
  readonly visibility?: Visibility;
}

/** Where something is from, in words: a project, or everyone. */
export function originOf({ fleet_id, visibility }: Placed): string {
  if (fleet_id === null) return visibility === "scope_agent" ? "in no project" : "for everyone";
  return visibility === "scope_org" ? `${nameOfFleet(fleet_id)}, for everyone` : nameOfFleet(fleet_id);
}

/** Where a row is from. */
export const Origin = ({ of }: { of: Placed }) => <Text value={originOf(of)} max={80} />;
