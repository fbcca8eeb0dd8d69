import { TEXT } from "./base/text.ts";

/** The registry of projects. Fleets that hold anything already are its first ones, of which nobody knows to which repositories they belong. */
export const projects: readonly string[] = [
  `create table project_registries (
    tenant_id ${TEXT} primary key,
    version ${TEXT} not null,
    tree json not null
  )`,
  `insert into project_registries (tenant_id, version, tree)
  select tenant_id, 'first', json_build_object('projects', json_agg(json_build_object('id', fleet_id, 'origin', 'legacy',
    'created_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
  from (
    select tenant_id, fleet_id from memories where fleet_id is not null group by tenant_id, fleet_id
    union
    select tenant_id, fleet_id from documents where fleet_id is not null group by tenant_id, fleet_id
  ) held
  group by tenant_id`,
  "create index memories_apart_by_fleet on memories (tenant_id, fleet_id) where visibility <> 'scope_team'",
];
