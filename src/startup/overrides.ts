import type { Clock } from "../core/kernel/clock.ts";
import type { Llm } from "../core/ports/llm.ts";
import type { McpHandler } from "../core/ports/mcp.ts";
import type { SkillScanner } from "../core/ports/skill-scanner.ts";
import type { StreamTimes } from "../http/events/event-body.ts";
import type { OpenDriver } from "../storage/postgres/engine/driver.ts";
import type { BroughtModels } from "./models.ts";

/** What a test may put in place of the real thing. */
export interface Overrides extends BroughtModels {
  readonly clock?: Clock;
  readonly llm?: Llm;
  readonly scanner?: SkillScanner;
  /** Likewise MCP with more than the product's own tools. */
  readonly mcp?: McpHandler;
  /** Brings a database in place of the server that `database_url` names. */
  readonly openDatabase?: OpenDriver;
  /** How long a job may take before it counts as failed. */
  readonly jobLimitMs?: number;
  /** How long a request may take. */
  readonly requestLimitMs?: number;
  /** Beats and life of a stream of events. */
  readonly streamTimes?: StreamTimes;
}
