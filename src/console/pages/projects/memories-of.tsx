import { count } from "../../kit/numbers.ts";

interface MemoriesOfProps {
  readonly fleet_id: string;
  readonly name: string;
  readonly memories: number;
}

/** How many memories a fleet holds, with the way to them. */
export const MemoriesOf = ({ fleet_id, name, memories }: MemoriesOfProps) => (
  <a href={`/memories?${new URLSearchParams({ fleet_id })}`}>
    {count(memories)}
    <span class="hidden-visually"> memories of {name}</span>
  </a>
);
