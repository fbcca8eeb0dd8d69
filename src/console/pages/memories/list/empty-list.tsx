import { programsAddress } from "../../../api/address.ts";
import { Copyable } from "../../../kit/controls.tsx";
import { Empty } from "../../../kit/layout.tsx";

/** Stands where there is no memory yet: how the first one is written. */
export const NoMemories = ({ onWrite }: { onWrite: () => void }) => (
  <Empty title="There are no memories yet.">
    <div class="stack memory-first">
      <p>
        An agent that is connected writes them by itself.{" "}
        <button type="button" class="link" onClick={onWrite}>
          Write one here
        </button>
        , or from a terminal:
      </p>
      <Copyable text={`CAIRN_URL=${programsAddress()} cairn add "The office is closed on Fridays."`} />
      <Copyable text={curl()} />
    </div>
  </Empty>
);

const curl = (): string =>
  `curl ${programsAddress()}/api/v1/memories -H 'Content-Type: application/json' -d '{"content":"The office is closed on Fridays."}'`;

/** Stands where no memory fits the filters. */
export const NothingFits = ({ onClear }: { onClear: () => void }) => (
  <Empty title="No memory fits these filters.">
    <button type="button" onClick={onClear}>
      Clear all
    </button>
  </Empty>
);
