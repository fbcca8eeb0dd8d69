import { call } from "../../../api/call.ts";
import { useCall } from "../../../api/query.ts";
import type { MemoryDetail } from "../../../api/schemas.gen.ts";
import { Button } from "../../../kit/controls.tsx";
import { Text } from "../../../kit/text.tsx";
import { Dated } from "../../../kit/time.tsx";
import { toast } from "../../../kit/toast.tsx";

/** What a memory said before it was edited, as long as that is kept, and a way back to it. */
export function EarlierTexts({ memory, reload }: { memory: MemoryDetail; reload: () => void }) {
  const { id, version } = memory;
  const { data } = useCall("listMemoryTexts", { path: { memory_id: id } }, ["memories"]);
  if (!data || data.items.length === 0) return null;
  const bringBack = (text_id: string) => async () => {
    await call("restoreMemoryText", { path: { memory_id: id, text_id }, version });
    toast("The memory says that again; what it said until now is kept.");
    reload();
  };
  return (
    <section aria-label="Earlier texts">
      <h3>Earlier texts</h3>
      <ol class="plain-list versions">
        {data.items.map((text) => (
          <li key={text.id}>
            <p class="row small dim">
              <span>
                until <Dated at={text.replaced_at} />
              </span>
              {text.replaced_by && (
                <span>
                  replaced by <Text value={text.replaced_by} />
                </span>
              )}
            </p>
            <p>
              {text.title !== null && (
                <strong>
                  <Text value={text.title} />{" "}
                </strong>
              )}
              <Text value={text.content} />
            </p>
            <Button onClick={bringBack(text.id)}>Bring it back</Button>
          </li>
        ))}
      </ol>
    </section>
  );
}
