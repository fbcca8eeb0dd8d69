import { afterAll, describe, expect, test } from "bun:test";
import { ProjectList, ProjectResolved } from "../../../src/core/schema/projects/project.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const resolve = (body: object) => client.ok(ProjectResolved, "POST", "/api/v1/projects/resolve", { body });
const projectOf = async (body: object) => {
  const { project } = await resolve(body);
  if (project === null) throw new Error("No project.");
  return project;
};
const list = async () => (await client.ok(ProjectList, "GET", "/api/v1/projects")).items;

describe("which project somebody works in", () => {
  test("is told by the remote with its owner, and shown without it while that is clear", async () => {
    const one = await projectOf({ remote: "github.com/client-a/api", save: true });
    expect(one).toMatchObject({ id: "client-a/api", name: "api", source: "git remote", is_new: true });
    const other = await projectOf({ remote: "github.com/client-b/api", save: true });
    expect(other).toMatchObject({ id: "client-b/api", name: "client-b/api" });
    expect((await projectOf({ remote: "github.com/client-a/api" })).name).toBe("client-a/api");
    const elsewhere = await projectOf({ remote: "gitlab.com/client-a/api", save: true });
    expect(elsewhere.id).toBe("client-a/api-2");
  });

  test("is in the registry only once something is stored", async () => {
    const before = await projectOf({ remote: "github.com/acme/looked-at" });
    expect(before).toMatchObject({ id: "acme/looked-at", is_new: true });
    expect((await list()).map(({ id }) => id)).not.toContain("acme/looked-at");
    await projectOf({ remote: "github.com/acme/looked-at", save: true });
    expect((await list()).map(({ id }) => id)).toContain("acme/looked-at");
  });

  test("outlives a change of the remote by the id that the repository keeps", async () => {
    const first = await projectOf({ kept: "k-1", folder: "laptop:/home/anna/mill/.git", save: true });
    expect(first).toMatchObject({ id: "anna/mill", source: "git folder" });
    const later = await projectOf({ kept: "k-1", remote: "github.com/anna/mill-app" });
    expect(later).toMatchObject({ id: "anna/mill", source: "repository", remotes: ["github.com/anna/mill-app"] });
    expect((await projectOf({ remote: "github.com/anna/mill-app" })).id).toBe("anna/mill");
  });

  test("without a remote is another for each git folder, whatever requests have stored under that name", async () => {
    await api.write({ fleet_id: "code/site" });
    const one = await projectOf({ folder: "laptop:/code/site/.git", kept: "k-2", save: true });
    expect(one).toMatchObject({ id: "code/site-2", is_new: true });
    const other = await projectOf({ folder: "desk:/code/site/.git", kept: "k-3", save: true });
    expect(other.id).toBe("code/site-3");
  });

  test("is none where nothing tells", async () => {
    expect(await resolve({ at: "laptop:/tmp" })).toEqual({ project: null, warnings: [] });
  });

  test("is asked for where several have the name", async () => {
    const refused = await client.refused("POST", "/api/v1/projects/resolve", { body: { named: "api" } });
    expect(refusalOf(refused)).toEqual([409, "CONFLICT"]);
    expect(refused.body.error.details).toEqual({ projects: ["client-a/api", "client-b/api", "client-a/api-2"] });
    expect((await projectOf({ named: "client-b/api" })).id).toBe("client-b/api");
    expect((await projectOf({ named: "LOOKED-AT" })).id).toBe("acme/looked-at");
  });
});

describe("a .cairn.json", () => {
  const file = (place: string, name = "harbour") => ({ file: { name, place } });

  test("belongs to the folder that was first, and is not trusted in another", async () => {
    await api.write({ fleet_id: "harbour" });
    expect(await projectOf({ ...file("laptop:/a"), save: true })).toMatchObject({ id: "harbour", is_trusted: true });
    expect(await projectOf(file("laptop:/b"))).toMatchObject({ id: "harbour", is_trusted: false });
    expect(await projectOf(file("laptop:/a"))).toMatchObject({ is_trusted: true });
    const trust = { body: { project: "harbour", place: "laptop:/b" } };
    expect((await client.call("POST", "/api/v1/projects/trust", trust)).status).toBe(200);
    expect(await projectOf(file("laptop:/b"))).toMatchObject({ is_trusted: true });
  });

  test("may name a project that was only named before, from no folder", async () => {
    await projectOf({ named: "lighthouse", save: true });
    expect(await projectOf({ ...file("laptop:/l", "lighthouse"), save: true })).toMatchObject({ is_trusted: true });
    expect(await projectOf(file("laptop:/l2", "lighthouse"))).toMatchObject({ is_trusted: false });
  });

  test("that names the project of its own remote is trusted", async () => {
    await projectOf({ remote: "github.com/acme/quay", save: true });
    expect(await projectOf({ ...file("laptop:/q", "acme/quay"), remote: "github.com/acme/quay" })).toMatchObject({
      is_trusted: true,
    });
    expect(await projectOf({ ...file("laptop:/q2", "acme/quay"), remote: "github.com/evil/quay" })).toMatchObject({
      is_trusted: false,
    });
  });
});

describe("names", () => {
  test("are changed and added to; requests that name an alias mean the project", async () => {
    await projectOf({ remote: "github.com/acme/pier", save: true });
    await client.call("POST", "/api/v1/projects/rename", { body: { project: "pier", name: "Landing stage" } });
    expect(await projectOf({ remote: "github.com/acme/pier" })).toMatchObject({
      id: "acme/pier",
      name: "Landing stage",
    });
    await client.call("POST", "/api/v1/projects/alias", { body: { project: "acme/pier", alias: "jetty" } });
    const row = await api.write({ fleet_id: "jetty" });
    expect(row.fleet_id).toBe("acme/pier");
    expect((await api.list({ fleet_id: "acme/pier" })).items.map(({ id }) => id)).toEqual([row.id]);
    expect((await api.list({ fleet_id: "jetty" })).items.map(({ id }) => id)).toEqual([row.id]);
    const taken = { body: { project: "looked-at", name: "jetty" } };
    expect(refusalOf(await client.refused("POST", "/api/v1/projects/rename", taken))).toEqual([409, "CONFLICT"]);
  });

  test("are not taken from a fleet that requests have stored something in", async () => {
    await projectOf({ remote: "github.com/acme/ferry", save: true });
    await api.write({ fleet_id: "boats" });
    const calls = { rename: { name: "boats" }, alias: { alias: "boats" } };
    for (const [action, name] of Object.entries(calls)) {
      const call = { body: { project: "acme/ferry", ...name } };
      const refused = await client.refused("POST", `/api/v1/projects/${action}`, call);
      expect(refusalOf(refused)).toEqual([409, "CONFLICT"]);
    }
    expect((await api.list({ fleet_id: "boats" })).items).toHaveLength(1);
  });
});
