import { useCall } from "../../../api/query.ts";
import type { Inbox } from "../../../api/schemas.gen.ts";
import { useAddress } from "../../../hooks/address.ts";
import { Copyable } from "../../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../../kit/layout.tsx";
import type { TabProps, WithFactory } from "../factory.tsx";
import { FactoryOff } from "../factory.tsx";
import { Pager } from "../pager.tsx";
import { skillHref } from "../skill-facts.tsx";
import { SplitView } from "../split-view.tsx";
import { CardDetail } from "./card-detail.tsx";
import { InboxRow } from "./inbox-row.tsx";

/** Staged skills on one page; never more than the tenant's inbox_max_pending. */
const PAGE = 200;

/** Skills that wait for a person. */
export function InboxTab({ factory, onTurned }: TabProps) {
  if (!factory.enabled)
    return (
      <FactoryOff
        onTurned={onTurned}
        what="On, every skill that an agent or the Forge writes is scanned and waits here for your word."
      />
    );
  return <OpenInbox factory={factory} />;
}

function OpenInbox({ factory }: WithFactory) {
  const { values, set } = useAddress();
  const offset = Math.max(0, Math.trunc(Number(values.offset ?? 0)) || 0);
  const { inbox, isReviewer } = useInbox(offset);
  const slug = values.slug ?? null;
  return (
    <>
      {!isReviewer && (
        <p class="skills-notice">
          This key may know what waits, not read or decide it. Sign in with the key of an administrator (
          <code>cairn keys create --admin</code>).
        </p>
      )}
      <Show of={inbox}>
        {({ items, truncated }) => (
          <SplitView
            label="Skills that wait"
            isOpen={slug !== null}
            onBack={() => set({ slug: null })}
            list={
              items.length === 0 && offset === 0 ? (
                <NothingWaits />
              ) : (
                <>
                  {items.map((card) => (
                    <InboxRow
                      key={card.slug}
                      card={card}
                      isOpen={card.slug === slug}
                      onOpen={() => set({ slug: card.slug, view: null })}
                    />
                  ))}
                  <Pager
                    offset={offset}
                    next={truncated ? offset + items.length : null}
                    onTurn={(to) => set({ offset: to === 0 ? null : String(to), slug: null })}
                    step={factory.inbox_max_pending}
                  />
                </>
              )
            }
          >
            {slug !== null && (
              <Opened
                key={slug}
                slug={slug}
                items={items}
                factory={factory}
                isReviewer={isReviewer}
                reload={inbox.reload}
              />
            )}
          </SplitView>
        )}
      </Show>
    </>
  );
}

/** The inbox with its texts; without them for who may not read them. */
function useInbox(offset: number) {
  const whole = useCall("listInbox", { query: { include_content: true, limit: PAGE, offset } }, ["skills", "settings"]);
  const isReviewer = whole.problem?.code !== "SKILLS_INBOX_FORBIDDEN";
  const brief = useCall("listInbox", isReviewer ? null : { query: { limit: PAGE, offset } }, ["skills", "settings"]);
  return { inbox: isReviewer ? whole : brief, isReviewer };
}

interface OpenedProps extends WithFactory {
  readonly slug: string;
  readonly items: Inbox["items"];
  readonly isReviewer: boolean;
  readonly reload: () => void;
}

function Opened({ slug, items, factory, isReviewer, reload }: OpenedProps) {
  const { set } = useAddress();
  const at = items.findIndex((card) => card.slug === slug);
  const card = items[at];
  if (!card) return <DoesNotWait slug={slug} />;
  const next = items[at + 1] ?? items[at - 1];
  const onMoved = () => {
    set({ slug: next?.slug ?? null, view: null }, { replace: true });
    reload();
  };
  return <CardDetail card={card} factory={factory} isReviewer={isReviewer} onMoved={onMoved} reload={reload} />;
}

const DoesNotWait = ({ slug }: { slug: string }) => (
  <Panel>
    <Empty title="This skill does not wait here.">
      <p>It was decided on, or it waits on another page of the inbox.</p>
      <p>
        <a href={skillHref(slug)}>Look for it among all skills</a>
      </p>
    </Empty>
  </Panel>
);

const NothingWaits = () => (
  <Empty title="Nothing waits for you.">
    <p>
      A skill comes here when an agent writes one into the collection <code>skills</code>, or when the{" "}
      <a href="/skills?tab=forge">Forge</a> draws one from what agents did.
    </p>
    <p>What was approved is under Delivered; harnesses on this machine get it by</p>
    <Copyable text="cairn skills sync" />
  </Empty>
);
