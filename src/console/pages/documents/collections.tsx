import type { Loaded } from "../../api/query.ts";
import type { Collections } from "../../api/schemas.gen.ts";
import { Copyable } from "../../kit/controls.tsx";
import { curlOf } from "../../kit/curl.ts";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { Text } from "../../kit/text.tsx";
import { ownCollection } from "./own-collections.ts";

interface CollectionListProps {
  readonly of: Loaded<Collections>;
  readonly open: string | null;
  /** The address of a collection. */
  readonly href: (collection: string) => string;
}

/** Collections and how many documents each holds. */
export const CollectionList = ({ of, open, href }: CollectionListProps) => (
  <Panel title="Collections">
    <Show of={of}>
      {({ collections }) =>
        collections.length === 0 ? (
          <NoCollections />
        ) : (
          <ul class="collections">
            {collections.map(({ name, count: size }) => (
              <li key={name}>
                <a data-row href={href(name)} aria-current={name === open ? "true" : undefined}>
                  <span>
                    <Text value={name} />
                    {ownCollection(name, null) && <small class="dim"> of Cairn</small>}
                  </span>
                  <span class="dim">
                    {count(size)}
                    <span class="hidden-visually"> documents</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </Show>
  </Panel>
);

const EXAMPLE = { collection: "plans", doc_id: "launch", data: { summary: "Launch plan", day: "Friday" } };

const NoCollections = () => (
  <Empty title="No documents yet.">
    <p>
      A document is a JSON object under a key of its own: a customer, a plan, a configuration. Write one above, or by a
      command:
    </p>
    <div class="stack">
      <Copyable text={`cairn docs put plans launch '${JSON.stringify(EXAMPLE.data)}'`} />
      <Copyable text={curlOf("writeDocument", { body: EXAMPLE })} />
    </div>
  </Empty>
);
