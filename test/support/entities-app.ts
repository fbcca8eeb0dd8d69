import { afterEach, beforeEach, expect } from "bun:test";
import type { TestApp } from "./app.ts";
import { startApp } from "./app.ts";
import type { EntitiesApi } from "./entities-api.ts";
import { entitiesApi } from "./entities-api.ts";
import type { MemoriesApi } from "./memories-api.ts";
import { memoriesApi } from "./memories-api.ts";

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
