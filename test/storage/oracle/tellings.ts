import { rowsOf } from "./memory-filter.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";

export const tellingsOf = (state: State): Oracle["tellings"] => ({
  record: async ({ tenant_id, read_scope, told, used, at }) => {
    const seen = (ids: readonly string[]) => rowsOf(state, { tenant_id, read_scope, ids }).map(({ id }) => id);
    for (const id of seen(told)) {
      const before = state.tellings.get(id);
      state.tellings.set(id, { told: (before?.told ?? 0) + 1, used: before?.used ?? 0, last_told_at: at });
    }
    const taken = seen(used).flatMap((id) => {
      const telling = state.tellings.get(id);
      return telling && telling.used < telling.told ? [{ id, telling }] : [];
    });
    for (const { id, telling } of taken) state.tellings.set(id, { ...telling, used: telling.used + 1 });
    return { told: seen(told).length, used: taken.length };
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
