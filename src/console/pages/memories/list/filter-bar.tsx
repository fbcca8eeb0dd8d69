import { useState } from "preact/hooks";
import type { AddressQuery } from "../../../hooks/address.ts";
import { Chip, Select } from "../../../kit/controls.tsx";
import { FilterValue } from "./filter-value.tsx";
import type { FilterName } from "./filters.ts";
import { FILTER_NAMES, filterOf, filtersIn, SORTS, said } from "./filters.ts";

/** The filters and the order of the list: what is set, and what could be. */
export function FilterBar({ address: { values, set } }: { address: AddressQuery }) {
  const [adding, setAdding] = useState<FilterName | "">("");
  const active = filtersIn(values);
  const add = (name: FilterName | "") => {
    if (name !== "" && filterOf(name).kind === "yes") set({ [name]: "true" });
    else setAdding(name);
  };
  const apply = (members: Readonly<Record<string, string>>) => {
    set(members);
    setAdding("");
  };
  const isPlaced = active.some(([name]) => filterOf(name).kind === "place");
  const unset = FILTER_NAMES.filter((name) => !values[name] && name !== "shared_only")
    .filter((name) => !(isPlaced && filterOf(name).kind === "place"))
    .map((name) => [name, filterOf(name).words] as const);
  return (
    <div class="row filter-bar">
      <Select label="Add filter" value={adding} options={[["", "Add filter"] as const, ...unset]} onChange={add} />
      {adding !== "" && <FilterValue key={adding} name={adding} onSet={apply} />}
      {active.map(([name, value]) => (
        <Chip key={name} name={filterOf(name).words} value={said(name, value)} onRemove={() => set({ [name]: null })} />
      ))}
      {active.length > 1 && (
        <button type="button" class="link" onClick={() => set(cleared())}>
          Clear all
        </button>
      )}
      <Order values={values} set={set} />
    </div>
  );
}

/** What takes every filter off. */
export const cleared = (): Record<string, null> => Object.fromEntries(FILTER_NAMES.map((name) => [name, null]));

function Order({ values, set }: AddressQuery) {
  const [first] = SORTS;
  const sort = SORTS.find(([name]) => name === values.sort)?.[0] ?? first?.[0] ?? "created_at";
  const order = values.order === "asc" ? "asc" : "desc";
  return (
    <span class="row order">
      <Select
        label="Sort by"
        value={sort}
        options={SORTS.map(([name, words]) => [name, `By ${words}`] as const)}
        onChange={(name) => set({ sort: name === "created_at" ? null : name })}
      />
      <Select
        label="Order"
        value={order}
        options={[
          ["desc", sort === "created_at" ? "newest first" : "descending"],
          ["asc", sort === "created_at" ? "oldest first" : "ascending"],
        ]}
        onChange={(to) => set({ order: to === "desc" ? null : to })}
      />
    </span>
  );
}
