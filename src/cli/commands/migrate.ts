import type { Command } from "commander";
import { counted } from "../../core/kernel/text.ts";
import type { CliFactory, CommonOptions } from "../connect.ts";
import { common } from "../program.ts";

interface MigrateOptions extends CommonOptions {
  readonly to: string;
}

/** What was moved, and how it was held to its source. */
export interface Migrated {
  readonly from: string;
  readonly to: string;
  readonly tenants: number;
  /** Records by kind, of all tenants. */
  readonly counts: Readonly<Record<string, number>>;
  /** Searches that were put to both, and the share of the first ten places that agree. */
  readonly searches: number;
  readonly agreement: number;
}

/** Moves everything that an export holds. Throws AppError or ConfigError where it cannot, or where both do not agree. */
export type Migrate = (options: CommonOptions, to: string) => Promise<Migrated>;

/** `cairn migrate`. */
export function addMigrate(program: Command, cli: CliFactory, migrate: Migrate): void {
  common(program.command("migrate"), "cairn migrate --to postgres://cairn@db.internal/cairn")
    .description("copy everything into an empty database, or back into a folder, and compare both before it says done")
    .requiredOption("--to <place>", "address of a PostgreSQL database, or a folder; it must hold nothing yet")
    .action(async ({ to, ...options }: MigrateOptions) => {
      const out = cli.output(options);
      const migrated = await migrate(options, to);
      if (out.isJson) {
        out.json(migrated);
        return;
      }
      const { counts, tenants, searches, agreement } = migrated;
      const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
      out.line(
        `Moved from ${migrated.from} to ${migrated.to}, of ${counted(tenants, "tenant")}: ${kinds.join(", ") || "nothing"}.`,
      );
      out.line(
        `Every record is the same by its hash. Of ${counted(searches, "search", "searches")}, ${percent(agreement)} of the first ten agree.`,
      );
      out.note("The source is as it was. Keys, the audit log and what was deleted stay there: mint keys anew.");
    });
}

const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;
