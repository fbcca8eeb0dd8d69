import { afterEach, beforeEach, expect } from "bun:test";
import type { EntitiesApi } from "./api/entities.ts";
import { entitiesApi } from "./api/entities.ts";
import type { MemoriesApi } from "./api/memories.ts";
import { memoriesApi } from "./api/memories.ts";
import type { TestApp } from "./app.ts";
import { startApp } from "./app.ts";

/** An app of each test's own, with what it says about memories and entities. */
export interface EntitiesApp {
  readonly app: TestApp;
  readonly memories: MemoriesApi;
  readonly entities: EntitiesApi;
}

/** Opens an app before each test of the file and stops it afterwards. */
export function entitiesApp(): EntitiesApp {
  let opened: TestApp | undefined;
  const current = (): TestApp => opened ?? expect.unreachable("No app is open.");
  beforeEach(async () => {
    opened = await startApp();
  });
  afterEach(() => opened?.stop());
  return {
    get app() {
      return current();
    },
    get memories() {
      return memoriesApi(current().client);
    },
    get entities() {
      return entitiesApi(current().client);
    },
  };
}
