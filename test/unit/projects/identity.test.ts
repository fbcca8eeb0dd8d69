import { describe, expect, test } from "bun:test";
import type { ProjectEvidence } from "../../../src/core/schema/projects/project.ts";
import { ProjectRegistry } from "../../../src/core/schema/projects/registry.ts";
import { identify } from "../../../src/projects/identity.ts";
import { projectsNamed, shownName } from "../../../src/projects/names.ts";

const at = "2026-05-04T08:00:00.000Z";
const facts = { isHeld: () => false, save: false, now: "2026-06-01T08:00:00.000Z" };
const legacy = (...ids: string[]) =>
  ProjectRegistry.parse({ projects: ids.map((id) => ({ id, origin: "legacy", created_at: at })) });
/** What the registry is after each of some evidence, and the project that the last of it tells of. */
function after(registry: ProjectRegistry, ...told: ProjectEvidence[]) {
  let last = identify(registry, {}, facts);
  for (const evidence of told) {
    last = identify(last?.registry ?? registry, evidence, facts);
    if (last === null) throw new Error("No project.");
  }
  if (last === null) throw new Error("No evidence.");
  return last;
}

describe("a fleet that was there before the registry", () => {
  test("is of the first repository that is called so", () => {
    const { project, registry } = after(legacy("api"), { remote: "github.com/client-a/API" });
    expect(project).toMatchObject({ id: "api", remotes: ["github.com/client-a/API"], unsettled: false });
    expect(shownName(registry, project)).toBe("API");
  });

  test("is in doubt as soon as a second one comes, which gets an id of its own", () => {
    const [a, b] = [{ remote: "github.com/client-a/api" }, { remote: "github.com/client-b/api" }];
    const found = after(legacy("api"), a, b);
    expect(found.project).toMatchObject({ id: "client-b/api", unsettled: false });
    expect(found.registry.projects.map(({ id, unsettled }) => [id, unsettled])).toEqual([
      ["api", true],
      ["client-b/api", false],
    ]);
    expect(projectsNamed(found.registry, "api").map(({ id }) => id)).toEqual(["api", "client-b/api"]);
    expect(projectsNamed(found.registry, "client-a/api").map(({ id }) => id)).toEqual(["api"]);
    const again = after(found.registry, a);
    expect(again.project.id).toBe("api");
    expect(shownName(again.registry, again.project)).toBe("client-a/api");
  });

  test("is told to no folder whose .cairn.json names it, before somebody trusts it", () => {
    const found = after(legacy("harbour"), { file: { name: "harbour", place: "laptop:/h" } });
    expect(found).toMatchObject({ is_known: true, is_trusted: false });
    expect(found.registry.projects).toHaveLength(1);
  });
});

describe("a repository", () => {
  test("keeps its project when its remote changes, and says so where that is another project's", () => {
    const saved = { ...facts, save: true };
    const first = identify({ projects: [] }, { remote: "h/a/x", kept: "k1" }, saved);
    const second = identify(first?.registry ?? { projects: [] }, { remote: "h/b/x", kept: "k2" }, saved);
    const moved = identify(second?.registry ?? { projects: [] }, { remote: "h/b/x", kept: "k1" }, facts);
    expect(moved).toMatchObject({ project: { id: "a/x", remotes: ["h/a/x"] }, source: "repository" });
    expect(moved?.warnings).toHaveLength(1);
  });

  test("takes up its git folder again once an id can be kept in it", () => {
    const saved = { ...facts, save: true };
    const folder = "laptop:/srv/app/.git";
    const first = identify({ projects: [] }, { folder }, saved);
    expect(first?.project.id).toBe("srv/app");
    const later = identify(first?.registry ?? { projects: [] }, { folder, kept: "k" }, saved);
    expect(later?.project).toMatchObject({ id: "srv/app", kept: ["k"] });
  });

  test("that comes to lie where another one lay is another project", () => {
    const saved = { ...facts, save: true };
    const folder = "laptop:/srv/app/.git";
    const first = identify({ projects: [] }, { folder, kept: "k" }, saved);
    const other = identify(first?.registry ?? { projects: [] }, { folder }, facts);
    expect(other?.project.id).toBe("srv/app-2");
  });
});
