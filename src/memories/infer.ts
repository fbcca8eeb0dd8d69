import type { JsonObject } from "../core/kernel/json.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { enrich } from "./enrichment/enrich.ts";
import type { Inferable } from "./inferred-fields.ts";
import { INFERABLE } from "./inferred-fields.ts";

/** The fields a caller has set; one that is absent is open, null is a choice. */
export type GivenFields = { readonly [Field in Inferable]?: StoredMemory[Field] | undefined };

export interface Inference {
  readonly fields: Pick<StoredMemory, Inferable>;
  /** What the row tells of its inference: which fields are inferred, its subjects, and what it must not leak. */
  readonly told: JsonObject;
}

/** Fills the open fields of a row from its text. `reference` is the moment of writing, in epoch milliseconds. Pure. */
export function inferOpen(content: string, given: GivenFields, reference: number): Inference {
  const { tags, pii_types, ...found } = enrich(content, { reference, memory_type: given.memory_type });
  const fields = inOrder(
    {
      title: given.title === undefined ? found.title : given.title,
      memory_type: given.memory_type ?? found.memory_type,
      weight: given.weight ?? found.weight,
      status: given.status ?? found.status,
      ts_valid_start: given.ts_valid_start === undefined ? found.ts_valid_start : given.ts_valid_start,
      ts_valid_end: given.ts_valid_end === undefined ? found.ts_valid_end : given.ts_valid_end,
    },
    given,
  );
  const inferred = INFERABLE.filter((field) => given[field] === undefined && fields[field] !== null);
  return {
    fields,
    told: {
      contains_pii: pii_types.length > 0,
      ...(pii_types.length > 0 ? { pii_types: [...pii_types] } : {}),
      ...(tags.length > 0 ? { tags: [...tags] } : {}),
      ...(inferred.length > 0 ? { inferred } : {}),
    },
  };
}

/** An inferred end of validity that contradicts the caller's other end is dropped. */
function inOrder(fields: Inference["fields"], given: GivenFields): Inference["fields"] {
  const { ts_valid_start: start, ts_valid_end: end } = fields;
  if (start === null || end === null || start < end) return fields;
  if (given.ts_valid_end === undefined) return { ...fields, ts_valid_end: null };
  return given.ts_valid_start === undefined ? { ...fields, ts_valid_start: null } : fields;
}
