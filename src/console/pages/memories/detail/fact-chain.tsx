import { useEffect, useState } from "preact/hooks";
import { onChange } from "../../../api/live.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem } from "../../../api/problem.ts";
import type { Memory } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { Show } from "../../../kit/layout.tsx";
import { Text } from "../../../kit/text.tsx";
import { Dated } from "../../../kit/time.tsx";
import { useMemoryLink } from "../memory-link.ts";
import type { Chain } from "./walk-chain.ts";
import { STEPS_MAX, walkChain } from "./walk-chain.ts";

interface FactChainProps {
  readonly memory: Pick<Memory, "id" | "content" | "status" | "created_at">;
}

/** A memory in the line of those that it superseded and that superseded it, the oldest first. */
export function FactChain({ memory }: FactChainProps) {
  const loaded = useChain(memory.id);
  return (
    <section>
      <h3>How it changed over time</h3>
      <Show of={loaded} lines={2}>
        {({ before, after, isCut }) =>
          before.length + after.length === 0 ? (
            <p class="dim">It superseded no other memory, and none superseded it.</p>
          ) : (
            <>
              <ol class="fact-chain">
                {before.map((one) => (
                  <Step key={one.id} {...one} content={one.content_preview} isThis={false} />
                ))}
                <Step {...memory} isThis={true} />
                {after.map((one) => (
                  <Step key={one.id} {...one} content={one.content_preview} isThis={false} />
                ))}
              </ol>
              {isCut && <p class="dim small">There may be more: {STEPS_MAX} steps are followed in each direction.</p>}
            </>
          )
        }
      </Show>
    </section>
  );
}

function Step({ id, content, status, created_at, isThis }: FactChainProps["memory"] & { isThis: boolean }) {
  const linkTo = useMemoryLink();
  return (
    <li aria-current={isThis ? "step" : undefined}>
      <span class="row small dim">
        <Dated at={created_at} /> <Badge word={status} /> {isThis && <span>this memory</span>}
      </span>
      {isThis ? (
        <strong>
          <Text value={content} max={200} />
        </strong>
      ) : (
        <a href={linkTo(id)}>
          <Text value={content} max={200} />
        </a>
      )}
    </li>
  );
}

interface LoadedChain {
  readonly data: Chain | null;
  readonly problem: CallProblem | null;
}

function useChain(memory_id: string) {
  const [state, setState] = useState<LoadedChain>({ data: null, problem: null });
  const [round, setRound] = useState(0);
  const reload = () => setRound((n) => n + 1);
  useEffect(() => {
    const abort = new AbortController();
    walkChain(memory_id, abort.signal).then(
      (data) => setState({ data, problem: null }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, problem: asProblem(error) }));
      },
    );
    return () => abort.abort();
  }, [memory_id, round]);
  useEffect(() => onChange(["memories", "conflicts"], reload), []);
  return { ...state, reload };
}
