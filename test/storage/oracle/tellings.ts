import { rowsOf } from "./memory-filter.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";

export const tellingsOf = (state: State): Oracle["tellings"] => ({
  record: async ({ tenant_id, read_scope, told, watched, used, at }) => {
    const seen = (ids: readonly string[]) => rowsOf(state, { tenant_id, read_scope, ids }).map(({ id }) => id);
    for (const id of seen(told)) {
      const before = state.tellings.get(id);
      state.tellings.set(id, { watched: 0, used: 0, ...before, told: (before?.told ?? 0) + 1, last_told_at: at });
    }
    const oneMore = (kind: "watched" | "used", ids: readonly string[]) => {
      const counted = seen(ids).flatMap((id) => {
        const telling = state.tellings.get(id);
        return telling && telling[kind] < telling.told ? [{ id, telling }] : [];
      });
      for (const { id, telling } of counted) state.tellings.set(id, { ...telling, [kind]: telling[kind] + 1 });
      return counted.length;
    };
    return { told: seen(told).length, watched: oneMore("watched", watched), used: oneMore("used", used) };
  },
  of: async (tenant_id, ids) => {
    const rows = rowsOf(state, { tenant_id, ids, include_deleted: true });
    return new Map(
      rows.flatMap(({ id }) => {
        const telling = state.tellings.get(id);
        return telling ? [[id, telling] as const] : [];
      }),
    );
  },
});
