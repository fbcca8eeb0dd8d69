import { z } from "zod";
import { ContradictionsReply } from "../../../core/schema/contradiction.ts";
import { holdsSecret } from "../../../text/personal-data.ts";
import { Refused } from "../../call.ts";
import { cutTo } from "../../columns.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { seenAt } from "./ids.ts";

/** As much of a memory as says whether it is found by meaning. */
export const Findable = z.object({
  id: z.string(),
  metadata: z.looseObject({ embedding_pending: z.boolean().optional() }).nullable(),
});
export type Findable = z.infer<typeof Findable>;

/** Whether it has no vector yet. */
export const isPending = ({ metadata }: Findable): boolean => metadata?.embedding_pending === true;

/** How long `--wait` waits, how long one call of it does, and the pause between two, in milliseconds. */
const [WAIT_MS, CALL_MS, PAUSE_MS] = [20_000, 1_000, 100];

interface Waited {
  readonly isFound: boolean;
  readonly isCompared: boolean;
  readonly against: ContradictionsReply["contradictions"];
}

/** Waits until a memory has its vector and the detector has looked at it. */
export async function untilFound(cli: Cli, { id }: Findable): Promise<Waited> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const waiting = seenAt(cli, id, "/contradictions", { wait_ms: String(CALL_MS) });
    const { checked_at, contradictions } = ContradictionsReply.parse(await cli.call("GET", waiting));
    const memory = Findable.parse(await cli.call("GET", seenAt(cli, id)));
    const waited = { isFound: !isPending(memory), isCompared: checked_at !== null, against: contradictions };
    if ((waited.isFound && waited.isCompared) || performance.now() >= deadline) return waited;
    await Bun.sleep(PAUSE_MS);
  }
}

/** Says what `--wait` came to. */
export function tellWaited({ out }: Pick<Cli, "out">, { isFound, isCompared, against }: Waited): void {
  out.note(isFound ? "Found by words and by meaning." : "Still pending: found by its words only. See `cairn doctor`.");
  for (const one of against)
    out.note(`Contradicts, now ${one.status}: ${plainText(one.content_preview)} (${one.memory_id})`);
  if (!isCompared) out.note("Not yet compared with the rest: `cairn contradictions` will show what it meets.");
  else if (against.length === 0) out.note("Nothing stands against it.");
}

/** Says of a text that looks like a secret who is told it, and how it is taken back. */
export function warnOfSecret({ out }: Pick<Cli, "out">, id: string, content: string): void {
  if (!holdsSecret(content)) return;
  out.note(
    `It looks like it holds a password or a key: whoever may read it is told it, agents too. Take it back: \`cairn rm ${id} --erase\`.`,
  );
}

/** How long somebody at a terminal waits to hear of what was retired, in milliseconds, and how much of its text is shown. */
const RETIRED_WAIT_MS = 1_000;
const TEXT_SHOWN = 60;

/** Says what a new memory retired or met, if the detector comes to it within a second, and how that is undone. */
export async function tellRetired(cli: Cli, id: string): Promise<void> {
  const asked = cli.call("GET", seenAt(cli, id, "/contradictions", { wait_ms: String(RETIRED_WAIT_MS) }));
  // It is written, whatever comes of looking.
  const reply = await asked.catch((error: unknown) => {
    if (error instanceof Refused) return null;
    throw error;
  });
  if (reply === null) return;
  const { status, contradictions } = ContradictionsReply.parse(reply);
  for (const { direction, memory_id, status: others, content_preview } of contradictions) {
    const text = `"${cutTo(plainText(content_preview), TEXT_SHOWN)}"`;
    const [said, demoted] =
      direction === "supersedes"
        ? [`${text} is ${others} now, by what you wrote.`, memory_id]
        : [`It is ${status} at once: newer is ${text}.`, id];
    cli.out.note(`${said} Undo: \`cairn contradictions ${demoted} --undo\`.`);
  }
}
