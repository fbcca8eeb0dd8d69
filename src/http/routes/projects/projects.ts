import {
  Project,
  ProjectAlias,
  ProjectList,
  ProjectListQuery,
  ProjectMerge,
  ProjectMerged,
  ProjectRename,
  ProjectResolve,
  ProjectResolved,
  ProjectSettle,
  ProjectTrust,
} from "../../../core/schema/projects/project.ts";
import { aliasProject, renameProject, settleProject, trustProject } from "../../../projects/change.ts";
import { listProjects } from "../../../projects/list.ts";
import { mergeProjects } from "../../../projects/merge.ts";
import { resolveProject } from "../../../projects/resolve.ts";
import type { Operation } from "../../operation.ts";
import { operation } from "../../operation.ts";

const tag = "Projects";
const path = "/api/v1/projects";
const change = { method: "POST", tag, rate: "write", changes: ["access"], statuses: [200] } as const;
const REFUSALS = ["TENANT_MISMATCH", "ADMIN_REQUIRED", "PERSON_REQUIRED", "NOT_FOUND", "CONFLICT"] as const;

export const projectOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    id: "listProjects",
    tag,
    summary: "The projects that are known, with their names",
    description:
      "A project is a fleet of which somebody has told whose it is. Fleets that only requests name are in /api/v1/fleets.",
    query: ProjectListQuery,
    reply: ProjectList,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => listProjects(ctx, query),
  }),
  operation({
    method: "POST",
    path: `${path}/resolve`,
    id: "resolveProject",
    tag,
    summary: "Which project somebody works in",
    description:
      "What is named counts first, then what a `.cairn.json` says, the id that lies in the repository, its remote, and its common git folder; null outside any. What the evidence adds to what is known is kept.",
    body: ProjectResolve,
    reply: ProjectResolved,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "CONFLICT"],
    run: (ctx, { body }) => resolveProject(ctx, body),
  }),
  operation({
    ...change,
    path: `${path}/rename`,
    id: "renameProject",
    summary: "Call a project something else",
    description: "Its id stays, and its names before go on meaning it.",
    body: ProjectRename,
    reply: Project,
    refusals: REFUSALS,
    run: (ctx, { body }) => renameProject(ctx, body),
  }),
  operation({
    ...change,
    path: `${path}/alias`,
    id: "aliasProject",
    summary: "Give a project another name, or take one away",
    description: "Requests that name the alias as a fleet mean the project.",
    body: ProjectAlias,
    reply: Project,
    refusals: REFUSALS,
    run: (ctx, { body }) => aliasProject(ctx, body),
  }),
  operation({
    ...change,
    changes: ["access", "memories", "documents", "skills"] as const,
    path: `${path}/merge`,
    id: "mergeProjects",
    summary: "Make one project of two",
    description:
      "The names of the first mean the second from then on. What it holds moves with each call, until `is_done`; what the second says already is deleted, and can be restored.",
    body: ProjectMerge,
    reply: ProjectMerged,
    refusals: REFUSALS,
    run: (ctx, { body }) => mergeProjects(ctx, body),
  }),
  operation({
    ...change,
    path: `${path}/trust`,
    id: "trustProject",
    summary: "Let the .cairn.json of a folder name a project",
    body: ProjectTrust,
    reply: Project,
    refusals: ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW", "PERSON_REQUIRED", "NOT_FOUND", "CONFLICT"],
    run: (ctx, { body }) => trustProject(ctx, body),
  }),
  operation({
    ...change,
    path: `${path}/settle`,
    id: "settleProject",
    summary: "Say that what a project holds is its own",
    description: "For one whose name two repositories shared, once what is the other's has been moved.",
    body: ProjectSettle,
    reply: Project,
    refusals: REFUSALS,
    run: (ctx, { body }) => settleProject(ctx, body),
  }),
];
