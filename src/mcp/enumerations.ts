import { z } from "zod";
import { DEPRECATED_TYPES, MEMORY_STATUSES, MEMORY_TYPES, RESERVED_TYPES } from "../core/schema/memory.ts";

// Listed where they are used: some clients follow no reference within a schema.

const KNOWN = MEMORY_TYPES.filter((type) => !DEPRECATED_TYPES.includes(type));
/** Types that memories have, without those that are stored as `fact`. */
export const AnyType = z.enum(KNOWN);
/** Types that an agent may give. */
export const OwnType = z.enum(KNOWN.filter((type) => !RESERVED_TYPES.includes(type)));
export const AnyStatus = z.enum(MEMORY_STATUSES);
