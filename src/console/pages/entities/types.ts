import type { EntityType } from "../../api/schemas.gen.ts";

/** Every type of an entity; the order says the colours in pictures. */
export const ENTITY_TYPES: readonly EntityType[] = [
  "person",
  "organization",
  "technology",
  "project",
  "concept",
  "location",
  "event",
  "identifier",
  "artifact",
  "role",
  "unknown",
];

/** The type that a text names, if any. */
export const typeNamed = (name: string | undefined): EntityType | null =>
  ENTITY_TYPES.find((one) => one === name) ?? null;

/** Where the page of an entity is. */
export const entityAddress = (id: string): string => `/entities?id=${id}`;
