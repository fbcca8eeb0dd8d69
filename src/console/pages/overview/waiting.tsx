import type { Loaded } from "../../api/query.ts";
import { useCall } from "../../api/query.ts";
import type { ConflictPage, Inbox, Status } from "../../api/schemas.gen.ts";
import { Loading, Panel, Problem } from "../../kit/layout.tsx";
import { count, duration, plural } from "../../kit/numbers.ts";

/** Refused to who may not approve skills: none wait for this reader. */
const NOT_FOR_READER = "SKILLS_INBOX_FORBIDDEN";
const SKILLS_COUNTED = 100;
/** The server counts no further. */
const CONFLICTS_COUNTED = 1_000;

interface Waiting {
  readonly href: string;
  readonly what: string;
  readonly about: string;
  readonly isBad?: boolean;
}

/** What waits for the server or for a person, each with the way there. */
export function WaitingPanel({ status }: { status: Loaded<Status> }) {
  const review = useReview();
  const waiting = [...(status.data ? ofServer(status.data) : []), ...review.waiting];
  const problems = [status, ...review.asked].filter(({ problem }) => problem !== null);
  const isKnown = status.data !== null && review.isKnown;
  return (
    <Panel title="Waiting">
      {problems.map(({ problem, reload }, i) => problem && <Problem key={i} problem={problem} retry={reload} />)}
      {waiting.length > 0 && <WaitingList waiting={waiting} />}
      {waiting.length === 0 && isKnown && <p>Nothing waits.</p>}
      {waiting.length === 0 && !isKnown && problems.length === 0 && <Loading lines={1} />}
    </Panel>
  );
}

const WaitingList = ({ waiting }: { waiting: readonly Waiting[] }) => (
  <ul class="waiting">
    {waiting.map(({ href, what, about, isBad }) => (
      <li key={what}>
        <a href={href} data-row class={isBad ? "is-bad" : ""}>
          <strong>{what}</strong>
        </a>
        <span class="dim">{about}</span>
      </li>
    ))}
  </ul>
);

/** What waits for a person's decision. */
function useReview() {
  const conflicts = useCall("listConflicts", { query: { limit: 1 } }, ["conflicts", "memories"], { least_ms: 3_000 });
  const settings = useCall("getSettings", {}, ["settings"]);
  // The inbox of a factory that is off is refused.
  const isOn = settings.data?.skills_factory.enabled === true;
  const query = { limit: SKILLS_COUNTED, include_content: false };
  const inbox = useCall("listInbox", isOn ? { query } : null, ["skills", "documents"]);
  const rules = useCall("listKeystoneProposals", {}, ["documents"]);
  const isOff = settings.data?.skills_factory.enabled === false || inbox.problem?.code === NOT_FOR_READER;
  return {
    waiting: [
      ...ofProposals(rules.data?.count ?? 0),
      ...(conflicts.data ? ofConflicts(conflicts.data) : []),
      ...(isOn && inbox.data ? ofInbox(inbox.data) : []),
    ],
    asked: [rules, conflicts, settings, ...(isOff ? [] : [inbox])],
    isKnown: rules.data !== null && conflicts.data !== null && (isOff || inbox.data !== null),
  };
}

function ofProposals(count: number): Waiting[] {
  if (count === 0) return [];
  return [
    { href: "/keystones", what: plural(count, "proposed rule"), about: "Of agents, for you to accept or dismiss" },
  ];
}

function ofConflicts({ open_count: open, possible_count: possible }: ConflictPage): Waiting[] {
  if (open === 0) return [];
  const what = `${plural(open, "conflict")}${open >= CONFLICTS_COUNTED ? " or more" : ""}`;
  const about = `Statements that clash, for you to review${possible > 0 ? `; ${count(possible)} merely possible` : ""}`;
  return [{ href: "/conflicts", what, about }];
}

function ofInbox({ count, truncated }: Inbox): Waiting[] {
  if (count === 0) return [];
  const what = `${plural(count, "skill")}${truncated ? " or more" : ""}`;
  return [{ href: "/skills", what, about: "Drafts in the inbox, for you to approve or reject" }];
}

const JOBS = "/operations?tab=jobs";

/** What of the server's own work is not done, and what of it goes wrong. */
function ofServer({ health, jobs, embedding, platform_init_errors }: Status): Waiting[] {
  const faults = platform_init_errors.length;
  return [
    ...(health === "ok" && faults === 0
      ? []
      : [
          {
            href: "/operations",
            what: `The server is ${health}`,
            about: faults > 0 ? platform_init_errors.join("; ") : "Operations says what is wrong",
            isBad: true,
          },
        ]),
    ...(embedding.phase === "failed"
      ? [{ href: "/operations", what: "The model did not load", about: "Searches go by words alone", isBad: true }]
      : []),
    ...(jobs && jobs.failing > 0
      ? [{ href: JOBS, what: plural(jobs.failing, "failing job"), about: "Tried again after a pause", isBad: true }]
      : []),
    ...(jobs && jobs.pending > 0 ? [{ href: JOBS, what: plural(jobs.pending, "job"), about: aboutJobs(jobs) }] : []),
  ];
}

function aboutJobs({ embedding_pending, understanding_pending, seconds_left }: NonNullable<Status["jobs"]>): string {
  return [
    embedding_pending > 0 ? `${plural(embedding_pending, "memory", "memories")} without vector` : "",
    understanding_pending > 0 ? `${plural(understanding_pending, "memory", "memories")} not yet understood` : "",
    seconds_left !== null && seconds_left > 0 ? `about ${duration(seconds_left)} left` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
