import { isJsonObject } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { ProjectRegistry } from "../core/schema/projects/registry.ts";
import { fleetMeant } from "../core/schema/projects/registry.ts";

/** The parts of a request in which a fleet may be named. */
interface Asked {
  readonly query: unknown;
  readonly body: unknown;
}

/** A request with the ids of projects where it names them by an alias. */
export async function withMeantFleets<A extends Asked>({ principal, storage }: Ctx, asked: A): Promise<A> {
  if (principal.tenant_id === null || !(namesFleet(asked.query) || namesFleet(asked.body))) return asked;
  const registry = await storage.projects.registry(principal.tenant_id);
  if (registry.projects.every(({ aliases }) => aliases.length === 0)) return asked;
  return { ...asked, query: withMeant(asked.query, registry), body: withMeant(asked.body, registry) };
}

/** Members of a request that name fleets, and those that hold objects of which the same is true. */
const FLEET = "fleet_id";
const FLEETS = "fleet_ids";
const HOLDERS = ["items", "records", "to", "filter", "rule"] as const;

const namesFleet = (part: unknown): boolean =>
  isJsonObject(part) && [FLEET, FLEETS, ...HOLDERS].some((name) => part[name] !== undefined && part[name] !== null);

function withMeant(part: unknown, registry: ProjectRegistry): unknown {
  if (Array.isArray(part)) return part.map((one) => withMeant(one, registry));
  if (!isJsonObject(part)) return part;
  const meant = (fleet: unknown) => (typeof fleet === "string" ? fleetMeant(registry, fleet) : fleet);
  const { [FLEET]: one, [FLEETS]: several } = part;
  return {
    ...part,
    ...(one == null ? {} : { [FLEET]: meant(one) }),
    ...(Array.isArray(several) ? { [FLEETS]: several.map(meant) } : {}),
    ...Object.fromEntries(
      HOLDERS.filter((name) => part[name] !== undefined).map((name) => [name, withMeant(part[name], registry)]),
    ),
  };
}
