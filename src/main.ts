#!/usr/bin/env bun
import "./startup/parent.ts";
import "./zod-settings.ts";
import { Refused } from "./cli/call.ts";
import { Unreachable } from "./cli/connect.ts";
import { plainText } from "./cli/output.ts";
import { print, printError } from "./cli/print.ts";
import { createProgram, Shown } from "./cli/program.ts";
import { sayRefusal } from "./cli/refusal.ts";
import { SeedError } from "./cli/seed.ts";
import { Unproven } from "./cli/server/prove-server.ts";
import { SetupError } from "./cli/setup/error.ts";
import { SkillSyncError } from "./cli/skills/file.ts";
import { UsageError } from "./cli/usage.ts";
import { ConfigError } from "./config/error.ts";
import { asksReadyJson } from "./config/load.ts";
import { AppError } from "./core/kernel/errors.ts";
import { describeCause } from "./core/kernel/log.ts";
import { escapedJson } from "./core/kernel/quoting/unseen.ts";
import { ProjectError } from "./projects/folder/error.ts";
import { commandsFor } from "./startup/commands.ts";
import { createCliFactory } from "./startup/factory.ts";
import { exemptLoopback } from "./startup/no-proxy.ts";

const argv = process.argv.slice(2);
const isJson = argv.includes("--json");

/** Faults that are told in their own words; others with their cause. */
const EXPECTED = [
  ConfigError,
  AppError,
  UsageError,
  SeedError,
  SkillSyncError,
  Refused,
  Unreachable,
  Unproven,
  ProjectError,
  SetupError,
];

/** What the caller wrote wrongly, where no server answers, and everything else. */
const [EXIT_FAILED, EXIT_USAGE, EXIT_UNREACHABLE] = [1, 2, 3];

async function main(): Promise<void> {
  exemptLoopback(process.env);
  const program = createProgram(createCliFactory(process.env), await commandsFor(process.env, argv));
  await program.parseAsync(argv, { from: "user" });
}

main().catch((error: unknown) => {
  if (error instanceof Shown) return;
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  const message = isExpected && error instanceof Error ? error.message : describeCause(error);
  const said = error instanceof Refused ? sayRefusal(error) : message;
  const code = codeOf(error);
  if (asksReadyJson(process.env, argv)) print(escapedJson(JSON.stringify({ event: "failed", code, message })));
  if (isJson)
    print(
      escapedJson(
        JSON.stringify({ error: { code, message, ...(error instanceof Refused ? { details: error.details } : {}) } }),
      ),
    );
  printError(`cairn: ${plainText(said, { keepsLines: true })}\n`);
  process.exit(exitOf(error));
});

/** Codes that say that what the caller wrote is wrong, whoever found out. */
const WRITTEN_WRONGLY = ["USAGE", "INVALID_ARGUMENTS"];

function codeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof ConfigError || error instanceof Refused) return error.code;
  if (error instanceof UsageError) return "USAGE";
  if (error instanceof Unreachable || error instanceof Unproven) return "UNREACHABLE";
  return error instanceof SeedError ? "SEED_INVALID" : "INTERNAL_ERROR";
}

function exitOf(error: unknown): number {
  const code = codeOf(error);
  if (code === "UNREACHABLE") return EXIT_UNREACHABLE;
  const isWrittenWrongly = error instanceof ConfigError ? error.isOfFlags : WRITTEN_WRONGLY.includes(code);
  return isWrittenWrongly ? EXIT_USAGE : EXIT_FAILED;
}
