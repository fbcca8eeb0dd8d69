/** The registry of projects. Fleets that hold anything already are its first ones, of which nobody knows to which repositories they belong. What a fleet has and
 * does not share is found by an index of its own: nothing counts it. */
export const projects = `
create table project_registries (
  tenant_id text primary key,
  version text not null,
  tree text not null
) strict;
insert into project_registries (tenant_id, version, tree)
select tenant_id, 'first', json_object('projects', json_group_array(json_object(
  'id', fleet_id, 'origin', 'legacy', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))))
from (
  select tenant_id, fleet_id from memories where fleet_id is not null group by tenant_id, fleet_id
  union
  select tenant_id, fleet_id from documents where fleet_id is not null group by tenant_id, fleet_id
)
group by tenant_id;
create index memories_apart_by_fleet on memories (tenant_id, fleet_id) where visibility <> 'scope_team';
`;
