import { useCall } from "../../api/query.ts";

/** What the trust of an agent's key lets it write; nothing to say of a key that governs. */
export function TrustNote({ agent_id }: { agent_id: string }) {
  const { data } = useCall("getAgent", { path: { agent_id } }, ["access"]);
  if (data === null || data.trust_level >= 2) return null;
  return (
    <p class="document-note">
      {data.trust_level === 1
        ? `With trust 1, ${agent_id} writes rules that bind itself alone. Rules that bind others need trust 2.`
        : `With trust 0, ${agent_id} writes no rules.`}{" "}
      It may read all of them.
    </p>
  );
}
