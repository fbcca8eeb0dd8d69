import type { Loaded } from "../../api/query.ts";
import type { Agent, Collections, Fleet, MemoryStats } from "../../api/schemas.gen.ts";
import { count } from "../../kit/numbers.ts";

interface FigureProps {
  readonly name: string;
  readonly href: string;
  readonly of: Pick<Loaded<unknown>, "problem"> & { readonly value: number | null };
  readonly note?: string | null;
}

/** One number, with the way to what it counts. */
const Figure = ({ name, href, of: { value, problem }, note = null }: FigureProps) => (
  <a class="panel figure" href={href} data-row data-figure={name.toLowerCase()}>
    <span class="dim">{name}</span>
    {value !== null && <strong>{count(value)}</strong>}
    {value === null && (problem ? <small class="figure-problem">{problem.message}</small> : <span class="dim">…</span>)}
    {note && <small class="dim">{note}</small>}
  </a>
);

interface FiguresProps {
  readonly stats: Loaded<MemoryStats>;
  readonly agents: Loaded<Agent[]>;
  readonly fleets: Loaded<Fleet[]>;
  readonly collections: Loaded<Collections>;
}

/** How much there is. */
export function Figures({ stats, agents, fleets, collections }: FiguresProps) {
  const documents = collections.data?.collections.reduce((sum, one) => sum + one.count, 0) ?? null;
  const deleted = stats.data?.deleted ?? 0;
  return (
    <div class="figures">
      <Figure
        name="Memories"
        href="/memories"
        of={{ value: stats.data?.total ?? null, problem: stats.problem }}
        note={deleted > 0 ? `and ${count(deleted)} deleted` : null}
      />
      <Figure
        name="Agents"
        href="/access?tab=agents"
        of={{ value: agents.data?.length ?? null, problem: agents.problem }}
      />
      <Figure name="Projects" href="/projects" of={{ value: fleets.data?.length ?? null, problem: fleets.problem }} />
      <Figure
        name="Documents"
        href="/documents"
        of={{ value: documents, problem: collections.problem }}
        note={collections.data && collections.data.count > 0 ? `in ${count(collections.data.count)} collections` : null}
      />
    </div>
  );
}
