import { z } from "zod";
import { countedText, FleetId, instant, ProjectName, TenantId } from "../common.ts";
import { PROJECT_ORIGINS } from "./registry.ts";

/** Characters of a place, of a remote and of an id that lies in a repository. */
const EVIDENCE_MAX = 4_300;
const evidence = () => countedText(1, EVIDENCE_MAX);

/** What a client knows of where somebody works. */
export const ProjectEvidence = z.object({
  named: ProjectName.optional().describe("The project that somebody named."),
  file: z
    .object({ name: ProjectName, place: evidence().describe("The folder that holds it: `machine:/path`.") })
    .optional()
    .describe("What a `.cairn.json` says."),
  kept: evidence().optional().describe("The id that Cairn keeps in the common git folder."),
  remote: evidence()
    .optional()
    .describe("The repository's remote, without what its spellings differ in: `host/owner/repo`."),
  folder: evidence().optional().describe("The common git folder: `machine:/path`."),
  at: evidence().optional().describe("The folder that somebody works in: `machine:/path`."),
});
export type ProjectEvidence = z.infer<typeof ProjectEvidence>;

export const ProjectResolve = ProjectEvidence.extend({
  tenant_id: TenantId,
  save: z
    .boolean()
    .default(false)
    .describe("Whether something is to be stored: a project that nobody knows is then made."),
}).meta({ id: "ProjectResolve" });
export type ProjectResolve = z.infer<typeof ProjectResolve>;

/** What said which project it is. */
export const PROJECT_SOURCES = ["argument", ".cairn.json", "repository", "git remote", "git folder"] as const;
export const ProjectSource = z.enum(PROJECT_SOURCES);
export type ProjectSource = z.infer<typeof ProjectSource>;

export const ResolvedProject = z.object({
  id: z.string().describe("The `fleet_id` of its memories."),
  name: z.string().describe("What it is shown as: a part of its id while no other project has that name."),
  names: z.array(z.string()).describe("All names that mean it."),
  remotes: z.array(z.string()),
  source: ProjectSource,
  is_new: z.boolean().describe("Nothing was ever stored in it."),
  is_trusted: z
    .boolean()
    .describe(
      "False where a `.cairn.json` names a project that was first used from elsewhere: nothing of it is to be told there.",
    ),
  unsettled_before: instant()
    .nullable()
    .describe("Memories from before this moment may be another project's of the same name."),
});
export type ResolvedProject = z.infer<typeof ResolvedProject>;

export const ProjectResolved = z
  .object({ project: ResolvedProject.nullable().describe("Null outside any project."), warnings: z.array(z.string()) })
  .meta({ id: "ProjectResolved" });
export type ProjectResolved = z.infer<typeof ProjectResolved>;

export const Project = z
  .object({
    id: z.string(),
    name: z.string(),
    names: z.array(z.string()),
    remotes: z.array(z.string()),
    places: z.array(z.string()).describe("Folders whose `.cairn.json` may name it, and git folders that are it."),
    origin: z.enum(PROJECT_ORIGINS),
    created_at: instant(),
    memory_count: z.int().describe("Memories that it shares."),
    unsettled_before: instant().nullable(),
    unsettled_count: z.int().describe("Memories that may be another project's of the same name."),
    shared_count: z
      .int()
      .describe("Memories that everyone sees, from before there were projects: they may have been meant for none."),
    absorbing: z.array(z.string()).describe("Projects that are becoming part of it."),
  })
  .meta({ id: "Project" });
export type Project = z.infer<typeof Project>;
export const ProjectListQuery = z.object({
  tenant_id: TenantId,
  doubts: z.boolean().default(false).describe("Counts `shared_count`, too, which takes longer the more there is."),
});
export type ProjectListQuery = z.infer<typeof ProjectListQuery>;
export const ProjectList = z.object({ items: z.array(Project) }).meta({ id: "ProjectList" });
export type ProjectList = z.infer<typeof ProjectList>;

/** Names one project: by its id, or a name that means it alone. */
const Named = z.object({ tenant_id: TenantId, project: ProjectName });

export const ProjectRename = Named.extend({ name: ProjectName }).meta({ id: "ProjectRename" });
export type ProjectRename = z.infer<typeof ProjectRename>;

export const ProjectAlias = Named.extend({
  alias: ProjectName,
  remove: z.boolean().default(false).describe("Takes the alias away."),
}).meta({ id: "ProjectAlias" });
export type ProjectAlias = z.infer<typeof ProjectAlias>;

export const ProjectTrust = Named.extend({ place: evidence() }).meta({ id: "ProjectTrust" });
export type ProjectTrust = z.infer<typeof ProjectTrust>;

export const ProjectSettle = Named.meta({ id: "ProjectSettle" });
export type ProjectSettle = z.infer<typeof ProjectSettle>;

export const ProjectMerge = z
  .object({ tenant_id: TenantId, from: FleetId, into: ProjectName })
  .meta({ id: "ProjectMerge" });
export type ProjectMerge = z.infer<typeof ProjectMerge>;
export const ProjectMerged = z
  .object({
    project: Project,
    moved: z.int().describe("Memories, documents, rules and skills that this step moved."),
    deleted: z
      .int()
      .describe("Memories that this step deleted, as the other project says the same; they can be restored."),
    is_done: z.boolean().describe("False where more is left: ask again."),
  })
  .meta({ id: "ProjectMerged" });
export type ProjectMerged = z.infer<typeof ProjectMerged>;
