import { useCall } from "../../../api/query.ts";
import { plural } from "../../../kit/numbers.ts";
import { Dated } from "../../../kit/time.tsx";

/** How often hooks told a memory, and how often that was taken up; nothing where they never did. */
export function Told({ id }: { id: string }) {
  const { data } = useCall("getTold", { path: { memory_id: id } }, ["memories"]);
  if (!data || data.told === 0) return null;
  const { told, watched, used, last_told_at } = data;
  const taken = watched === 0 && used === 0 ? "not known whether taken up" : `taken up ${plural(used, "time")}`;
  return (
    <p class="small">
      Told by hooks {plural(told, "time")}, {taken}, last on <Dated at={last_told_at} />
    </p>
  );
}
