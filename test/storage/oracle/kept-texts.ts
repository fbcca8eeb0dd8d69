import { newId } from "../../../src/core/kernel/ids.ts";
import type { KeptWords } from "../../../src/core/ports/keeping/kept-texts.ts";
import { KEPT_TEXTS_MAX } from "../../../src/core/ports/keeping/kept-texts.ts";
import type { Actor } from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { isSeen, rowsOf } from "./memory-filter.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";
import { nowOf } from "./state.ts";

/** Keeps what a memory says until now. */
export function keepText(state: State, memory: StoredMemory, words: KeptWords, actor: Actor): void {
  const { id: memory_id, tenant_id, visibility } = memory;
  const edit = { id: newId(state.clock), replaced_at: nowOf(state), replaced_by: actor.agent_id };
  state.texts.push({ ...edit, ...words, memory_id, tenant_id, visibility });
  const own = state.texts.filter((text) => text.memory_id === memory_id);
  const beyond = new Set(own.slice(0, -KEPT_TEXTS_MAX));
  state.texts = state.texts.filter((text) => !beyond.has(text));
}

export const keptTextsOf = (state: State): Oracle["keptTexts"] => ({
  of: async ({ tenant_id, id }, read_scope) => {
    const [memory] = rowsOf(state, { tenant_id, read_scope, ids: [id] });
    if (!memory) return [];
    return state.texts
      .filter((text) => text.memory_id === id && isSeen({ ...memory, visibility: text.visibility }, read_scope))
      .reverse()
      .map(({ memory_id: _, tenant_id: _tenant, visibility: _then, ...text }) => text);
  },
  tenants: async () => [...new Set(state.texts.map(({ tenant_id }) => tenant_id))].sort(),
  removeBefore: async (tenant_id, before, limit) => {
    const old = state.texts.filter((text) => text.tenant_id === tenant_id && text.replaced_at < before);
    const gone = new Set(old.slice(0, limit));
    state.texts = state.texts.filter((text) => !gone.has(text));
    return gone.size;
  },
});
