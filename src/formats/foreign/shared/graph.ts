import { nameId } from "../../../core/kernel/ids.ts";
import { characterCount } from "../../../core/kernel/text.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import { ENTITY_NAME_MAX, ENTITY_TYPES, RELATION_TYPE_MAX } from "../../../core/schema/entity.ts";
import type { Place, ReadLine } from "../../reader.ts";
import { memoryId, memoryLines, projectOf, storable } from "./memory.ts";

/** Words that other tools have for the types of entities here. */
const SAME_TYPE: Readonly<Record<string, EntityType>> = {
  user: "person",
  human: "person",
  people: "person",
  company: "organization",
  organisation: "organization",
  team: "organization",
  place: "location",
  city: "location",
  country: "location",
  tool: "technology",
  library: "technology",
  framework: "technology",
  language: "technology",
  software: "technology",
  idea: "concept",
  topic: "concept",
  file: "artifact",
  document: "artifact",
};

interface ForeignEntity {
  readonly tool: string;
  readonly name: string;
  /** As that tool writes it. */
  readonly type?: string | null | undefined;
  readonly at: string;
  readonly project?: string | null | undefined;
}

export interface ForeignRelation {
  readonly tool: string;
  readonly from: string;
  readonly type: string;
  readonly to: string;
  /** When it was entered, as a timestamp. */
  readonly at: string;
  readonly project?: string | null | undefined;
}

/** The id of an entity of that name: the same each time. */
const foreignEntityId = (tool: string, name: string): string => nameId([tool, "entity", nameOf(name)]);

const nameOf = (name: string): string => storable(name).trim();

/** Whether a name can be that of an entity; where not, statements about it are read all the same. */
const isEntityName = (name: string): boolean =>
  /[\p{L}\p{N}]/u.test(name) && characterCount(nameOf(name)) <= ENTITY_NAME_MAX;

/** An entity as if it were entered by hand; nothing where its name cannot be one. */
export function entityLines(place: Place, { tool, name, type, at, project }: ForeignEntity): ReadLine[] {
  if (!isEntityName(name)) return [];
  const entity_type = typeOf(type);
  const canonical_name = nameOf(name);
  const attributes = type ? { type: storable(type) } : null;
  const entry = {
    ...{ fleet_id: null, ...projectOf(project) },
    entity_type,
    canonical_name,
    attributes,
    aliases: [],
    created_at: at,
    updated_at: at,
  };
  const id = foreignEntityId(tool, name);
  return [{ place, record: { record: "entity", id, entity_type, canonical_name, created_at: at, entries: [entry] } }];
}

function typeOf(type: string | null | undefined): EntityType {
  const word = (type ?? "").trim().toLowerCase();
  return ENTITY_TYPES.find((one) => one === word) ?? SAME_TYPE[word] ?? "unknown";
}

/**
 * A relation twice: as a statement, which searches find, and as an edge between two entities, which are to be read before
 * it. Without the edge where a name cannot be that of an entity.
 */
export function relationLines(place: Place, { tool, from, type, to, at, project }: ForeignRelation): ReadLine[] {
  const id = ["relation", nameOf(from), type, nameOf(to)];
  const text = `${nameOf(from)} ${spoken(type)} ${nameOf(to)}`;
  const statement = memoryLines(place, { tool, id, text, project, created_at: at, imported: { relation: type } });
  const relation_type = storable(type).trim();
  const isStated = statement.every((line) => "record" in line);
  const isType = relation_type !== "" && characterCount(relation_type) <= RELATION_TYPE_MAX;
  if (!isStated || !isType || !isEntityName(from) || !isEntityName(to)) return statement;
  return [
    ...statement,
    {
      place,
      record: {
        record: "relation",
        id: nameId([tool, ...id]),
        ...projectOf(project),
        from_entity_id: foreignEntityId(tool, from),
        from_name: nameOf(from),
        relation_type,
        to_entity_id: foreignEntityId(tool, to),
        to_name: nameOf(to),
        weight: 1,
        evidence_memory_id: memoryId(tool, id),
        created_at: at,
        updated_at: at,
      },
    },
  ];
}

/** A relation's type as words: `works_at` is "works at". */
const spoken = (type: string): string => type.replace(/[_-]+/g, " ").trim();
