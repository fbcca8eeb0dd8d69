import { useState } from "preact/hooks";
import type { CallProblem } from "../../../api/problem.ts";
import type { MemoryDetail } from "../../../api/schemas.gen.ts";
import { Button } from "../../../kit/controls.tsx";
import { Text } from "../../../kit/text.tsx";

/** The version from which somebody began, until he begins anew from the present one. */
export function useSeen({ version }: MemoryDetail) {
  const [seen, setSeen] = useState(version);
  return { seen, isStale: seen !== version, beginAnew: () => setSeen(version) };
}

/** Whether a refusal says that somebody else was first: what he made of the memory is to be fetched. */
export const isOvertaken = ({ code }: CallProblem): boolean => code === "PRECONDITION_FAILED";

/** What somebody else made of a memory while it was worked on here. */
export function ChangedMeanwhile({ content, onBegin }: { content: string; onBegin: () => void }) {
  return (
    <div class="document-note" role="status">
      <p>
        This memory was changed since you began. It says now: <Text value={content} />
      </p>
      <Button onClick={onBegin}>Begin anew from that</Button>
    </div>
  );
}
