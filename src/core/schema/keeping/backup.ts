import { z } from "zod";

/** A backup may come from anywhere: more than any has is not read. */
const NAME_MAX = 200;
const NAMES_MAX = 100;

export const BackupManifest = z
  .object({
    format: z.literal(1),
    release: z
      .string()
      .regex(/^[\w.+-]{1,100}$/)
      .describe("The Cairn that wrote it."),
    shape: z.int().min(1).describe("Steps that its tables have seen: a Cairn that knows fewer cannot read it."),
    created_at: z
      .string()
      .regex(/^[\dTZ:.+-]{1,40}$/)
      .describe("The moment whose state it holds."),
    models: z.array(z.string().max(NAME_MAX)).max(NAMES_MAX).describe("The models whose vectors it holds."),
    counts: z
      .record(z.string().max(NAME_MAX), z.int().min(0))
      .refine((counts) => Object.keys(counts).length <= NAMES_MAX)
      .describe("Rows by table."),
    bytes: z.int().min(1).describe("Size of the data file that is packed in it."),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe("Digest of that file."),
  })
  .meta({ id: "BackupManifest", description: "What a backup says of itself." });
export type BackupManifest = z.infer<typeof BackupManifest>;

export const Backup = z
  .object({
    file: z.string().describe("Its path on the machine of the server."),
    bytes: z.int().describe("Its size, compressed."),
    manifest: BackupManifest,
  })
  .meta({ id: "Backup" });
export type Backup = z.infer<typeof Backup>;

/** What of a backup is obeyed once it is restored: whoever made it chose these. */
export interface Brought {
  /** Keys that open the service. */
  readonly keys: number;
  readonly rules: number;
  readonly approved_skills: number;
}

const DESTINATION_MAX = 1_024;

export const BackupRequest = z.object({
  destination: z
    .string()
    .min(1)
    .max(DESTINATION_MAX)
    .optional()
    .describe(
      "Absolute path on the machine of the server: a folder, which is made where a / ends it or `keep` is given, or a file that does not exist. Else the default folder.",
    ),
  keep: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Of the backups in the folder that it goes to only so many stay, the newest. The destination is that folder.",
    ),
});
export type BackupRequest = z.infer<typeof BackupRequest>;

export const BackupRun = z
  .object({
    state: z.enum(["running", "finished", "failed"]),
    done: z.int().describe("Steps that are done."),
    total: z.int().describe("Steps that there are."),
    now: z.string().describe("What is being done."),
    made: z
      .enum(["file", "folder"])
      .nullable()
      .describe("What is made of the destination, where nothing was; null where a folder is there."),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    backup: Backup.nullable().describe("What was written; null until it is finished."),
    left: z
      .array(z.string())
      .describe(
        "Backups in that folder that `keep` neither counts nor removes: somebody else's, those dated later, and those that could not be removed. At most 20 are named.",
      ),
    error: z.string().nullable().describe("Why it failed."),
  })
  .meta({ id: "BackupRun", description: "A backup that is being written, or the last one that was." });
export type BackupRun = z.infer<typeof BackupRun>;

export const BackupState = z
  .object({
    folder: z.string().nullable().describe("Where backups go by default; null where nothing is kept on a disk."),
    backups: z.array(Backup).describe("Those in that folder, newest first."),
    fault: z.string().nullable().describe("Why that folder can hold none, such as a file of its name."),
    run: BackupRun.nullable().describe("Null when there was none since the start."),
  })
  .meta({ id: "BackupState" });
export type BackupState = z.infer<typeof BackupState>;
