import { expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { EntityType } from "../../../src/core/schema/entity.ts";
import { alikeFrom, mayBeOne } from "../../../src/entities/alike.ts";

const named = (name: string, entity_type: EntityType = "unknown") => ({ name, entity_type });

test.each([
  [named("Data Centre"), named("Data Center"), true],
  [named("Anna Maria Keller", "person"), named("Anna Keller", "person"), true],
  [named("Anna Keller", "person"), named("Anna Kessler", "person"), false],
  [named("Anna Keller", "person"), named("Anna", "person"), false],
  [named("Terminal 4"), named("Terminal 5"), false],
  [named("Phase II"), named("Phase III"), false],
  [named("Plan A"), named("Plan B"), false],
  [named("Windows 10", "technology"), named("Windows 11", "technology"), false],
  [named("ABC-12", "identifier"), named("ABC 12", "identifier"), false],
  [named("login.ts", "artifact"), named("logins.ts", "artifact"), false],
  [named("Falcon", "project"), named("Falcons", "organization"), false],
  [named("Falcon", "project"), named("Falcons"), true],
])("whether two names may mean one thing at all: %o and %o", (a, b, expected) => {
  expect(mayBeOne(a, b)).toBe(expected);
  expect(mayBeOne(b, a)).toBe(expected);
});

test("an embedder that knows no meaning takes no two names for one", () => {
  expect(alikeFrom(hashEmbedder().calibration)).toBeGreaterThan(1);
});
