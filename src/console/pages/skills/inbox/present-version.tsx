import { useCall } from "../../../api/query.ts";
import type { Document, InboxCard } from "../../../api/schemas.gen.ts";
import { Loading, Problem } from "../../../kit/layout.tsx";
import { Text } from "../../../kit/text.tsx";
import { DiffView } from "./diff-view.tsx";

/** What an update would change in the skill that is delivered now. */
export function PresentVersion({ card }: { card: InboxCard }) {
  const { doc_id, target_content_hash } = card.target ?? {};
  const named = typeof doc_id === "string" ? doc_id : null;
  const asked = named === null ? null : { path: { doc_id: named }, query: { collection: "skills" } };
  const present = useCall("getDocument", asked, ["skills", "documents"]);
  if (named === null) return <p>It does not say which skill it changes.</p>;
  const { data, problem } = present;
  if (problem && problem.code !== "NOT_FOUND") return <Problem problem={problem} retry={present.reload} />;
  if (problem || (data && data.data.status !== "active"))
    return (
      <p>
        No skill is active at <Text value={named} /> any more: there is nothing that this update would change.
      </p>
    );
  if (!data) return <Loading />;
  return (
    <>
      {data.data.content_hash !== target_content_hash && (
        <p class="skills-notice">
          The skill that is delivered changed after this update was written, so the update cannot be approved.
        </p>
      )}
      <DiffView before={textOfDocument(data)} after={textOfCard(card)} />
    </>
  );
}

interface Compared {
  readonly name: unknown;
  readonly description: unknown;
  readonly summary: unknown;
  readonly content: unknown;
}

/** What a reader of a skill sees of it, as one text. */
const asText = ({ name, description, summary, content }: Compared): string =>
  [`name: ${said(name)}`, `description: ${said(description)}`, `summary: ${said(summary)}`, "", said(content)].join(
    "\n",
  );
const said = (value: unknown): string => (typeof value === "string" ? value : "");

const textOfCard = ({ name, description, summary, content }: InboxCard): string =>
  asText({ name, description, summary, content });
const textOfDocument = ({ data: { name, description, summary, content } }: Document): string =>
  asText({ name, description, summary, content });
