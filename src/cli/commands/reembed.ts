import type { Command } from "commander";
import { AppError } from "../../core/kernel/errors.ts";
import type { OtherModel, ReembedRequest } from "../../core/schema/keeping/reembed.ts";
import { ReembedState } from "../../core/schema/keeping/reembed.ts";
import type { CallLocal } from "../call.ts";
import { Refused } from "../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { common } from "../program.ts";
import type { ProgressLine } from "../progress.ts";
import { progressLine } from "../progress.ts";
import { UsageError } from "../usage.ts";

interface ReembedOptions extends CommonOptions {
  readonly model?: string;
  readonly pause?: boolean;
  readonly resume?: boolean;
  readonly rollback?: boolean;
  readonly cancel?: boolean;
  readonly dropOld?: boolean;
}

const PATH = "/api/v1/admin/reembed";
/** How often it is asked how far it is. */
const POLL_MS = 200;

/** `cairn reembed`. */
export function addReembed(program: Command, cli: CliFactory): void {
  common(program.command("reembed"), "cairn reembed --model my-model")
    .description("have everything read by another embedding model, while searches are answered by the present one")
    .option("--model <name>", "begin with this model, and wait until it answers")
    .option("--pause", "stop for a while")
    .option("--resume", "go on after a pause, or after it failed")
    .option("--rollback", "go back to the model of before")
    .option("--cancel", "give up what is being prepared")
    .option("--drop-old", "take out what is kept of the model of before")
    .action((options: ReembedOptions) => cli.use(options, (one) => reembed(one, options)));
}

async function reembed({ call, out }: Cli, options: ReembedOptions): Promise<void> {
  const order = orderOf(options);
  const state = order === null ? await stateOf(call) : ReembedState.parse(await begun(call, order));
  const waits = order !== null && order.action !== "pause";
  const end = waits ? await untilDone(call, state, progressLine("reembed")) : state;
  if (out.isJson) out.json(end);
  else for (const line of describe(end)) out.line(line);
  if (end.other?.state === "failed") process.exitCode = 1;
}

/** Gives an order; a model that there is not was written wrongly. */
const begun = (call: CallLocal, order: ReembedRequest): Promise<unknown> =>
  call("POST", PATH, order).catch((error: unknown) => {
    throw error instanceof Refused && error.code === "BAD_REQUEST" && order.action === "begin"
      ? new UsageError(error.message)
      : error;
  });

/** What is asked for; null to be shown how far it is. Throws UsageError for two things at once. */
function orderOf({ model, pause, resume, rollback, cancel, dropOld }: ReembedOptions): ReembedRequest | null {
  const orders: (ReembedRequest | false | undefined)[] = [
    model !== undefined && { action: "begin", model },
    pause && { action: "pause" },
    resume && { action: "resume" },
    rollback && { action: "rollback" },
    cancel && { action: "cancel" },
    dropOld && { action: "drop_old" },
  ];
  const [order = null, ...more] = orders.filter((one) => one !== false && one !== undefined);
  if (more.length > 0)
    throw new UsageError("Only one of --model, --pause, --resume, --rollback, --cancel and --drop-old at a time.");
  return order;
}

const stateOf = async (call: CallLocal): Promise<ReembedState> => ReembedState.parse(await call("GET", PATH));

/** Waits, however long that takes, until nothing is being done. Throws AppError where it failed. */
async function untilDone(call: CallLocal, begun: ReembedState, progress: ProgressLine): Promise<ReembedState> {
  let state = begun;
  while (state.other?.state === "building" || state.other?.state === "dropping") {
    progress.show({ ...state.other, now: stepOf(state.other) });
    await new Promise((resume) => setTimeout(resume, POLL_MS));
    state = await stateOf(call);
  }
  progress.end();
  if (state.other?.state !== "failed") return state;
  throw new AppError("UNAVAILABLE", state.other.error ?? `${state.other.model} failed.`);
}

function stepOf({ model, state, step, seconds_left }: OtherModel): string {
  if (state === "dropping") return `${model} is taken out`;
  const left = seconds_left === null ? "" : `, ${seconds_left} s left`;
  return `${model}: ${step ?? "waiting"}${left}`;
}

function describe({ model, models, other }: ReembedState): string[] {
  const others = models.filter((one) => one !== model);
  const beside = others.length > 0 ? [`Others: ${others.join(", ")}.`] : [];
  return [`${model} answers.`, ...(other ? [describeOther(other)] : beside)];
}

function describeOther({ model, state, done, total, seconds_left, error }: OtherModel): string {
  const far = `${done} of ${total} read`;
  switch (state) {
    case "building":
      return `${model} is being prepared: ${far}${seconds_left === null ? "" : `, some ${seconds_left} s left`}.`;
    case "paused":
      return `${model} is paused: ${far}. Go on with --resume, or give it up with --cancel.`;
    case "failed":
      return `${model} failed: ${error ?? "the log has the cause."} Go on with --resume, or give it up with --cancel.`;
    case "previous":
      return `${model} is kept: go back to it with --rollback, or take it out with --drop-old.`;
    case "dropping":
      return `${model} is being taken out.`;
    default:
      return state satisfies never;
  }
}
