import { AppError } from "../core/kernel/errors.ts";
import type { NamedDocument, StoredDocument } from "../core/ports/document-store.ts";
import type { WrittenPlace } from "../core/schema/keystones/names.ts";
import { placeOfDocument, writtenAs } from "../core/schema/keystones/names.ts";
import type { PlaceAsked, RulePlace } from "../core/schema/keystones/place.ts";
import { isSamePlace, placeOf } from "../core/schema/keystones/place.ts";

type Key = Omit<NamedDocument, "among">;

/** The rule of a name at a place, or where it is to be written. */
export const writtenAt = (key: Key, where: WrittenPlace): NamedDocument => ({
  ...key,
  among: (namesakes) => writtenAs(key.doc_id, namesakes, where),
});

/** The rule of a name that is meant. Among many it throws CONFLICT, and NOT_FOUND where it stands elsewhere alone. */
export const meantAt = (key: Key, asked: PlaceAsked): NamedDocument => ({
  ...key,
  among: (namesakes) => (namesakes.length === 0 ? key.doc_id : meantAmong(namesakes, asked).doc_id),
});

/**
 * The document that is meant: at the very place, where that is asked; else the only one that what is asked fits, or of several
 * that which stands just there. Throws CONFLICT with the places of several, NOT_FOUND with those where the name stands else.
 */
export function meantAmong(namesakes: readonly StoredDocument[], asked: PlaceAsked): StoredDocument {
  const placed = namesakes.map((document) => ({ document, place: placeOfDocument(document) }));
  const { scope } = asked;
  const exact = scope ? placeOf(asked.fleet_id, { scope, agent_id: asked.agent_id }) : null;
  const there = placed.find(({ place }) => exact !== null && isSamePlace(place, exact));
  const fitting = there || asked.place ? [] : placed.filter(({ place }) => fits(asked, place));
  const found = there ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (found) return found.document;
  if (fitting.length > 1)
    throw new AppError(
      "CONFLICT",
      "Several rules go by this name, each at its own place: say which by scope, fleet_id and agent_id. Nothing was changed.",
      { places: fitting.map(({ place }) => place) },
    );
  throw new AppError("NOT_FOUND", "No such keystone at this place.", { places: placed.map(({ place }) => place) });
}

/** Whether a place is as far as is asked where one asks for it. */
const fits = ({ scope, fleet_id, agent_id }: PlaceAsked, place: RulePlace): boolean =>
  (scope ?? place.scope) === place.scope &&
  (fleet_id ?? place.fleet_id) === place.fleet_id &&
  (agent_id ?? place.agent_id) === place.agent_id;
