import type { Warning } from "../../api/schemas.gen.ts";

/** What a reply warns of. */
export const Warnings = ({ of }: { of: readonly Warning[] | null }) =>
  of === null || of.length === 0 ? null : (
    <ul class="search-warnings">
      {of.map(({ code, message }) => (
        <li key={`${code} ${message}`}>
          {message} <code class="dim">{code}</code>
        </li>
      ))}
    </ul>
  );
