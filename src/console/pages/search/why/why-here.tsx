import type { CandidateView } from "../../../api/schemas.gen.ts";
import { decimals } from "../../../kit/numbers.ts";
import { Pair } from "../../../kit/pairs.tsx";
import { signalWords } from "./signals.ts";
import type { SignedBar } from "./signed-bars.tsx";
import { SignedBars, signed } from "./signed-bars.tsx";

/** What counted for and against a row, the strongest first. */
function evidenceOf({ signals, run_pull, overtaken_loss }: CandidateView): SignedBar[] {
  const all = [
    ...Object.entries(signals),
    ...(run_pull === undefined ? [] : [["run_pull", run_pull] as const]),
    ...(overtaken_loss === undefined ? [] : [["overtaken_loss", overtaken_loss] as const]),
  ];
  return all.map(([signal, value]) => ({ signal, value })).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

/** The strongest evidence of several rows: their bars are drawn to the same scale. */
export const scaleOf = (candidates: readonly CandidateView[]): number =>
  Math.max(1, ...candidates.flatMap(evidenceOf).map(({ value }) => Math.abs(value)));

const SHARES = ["vec_sim", "fts_score", "freshness"] as const;
const SUMS = ["entity_boost", "temporal_boost", "status_penalty", "recall_boost"] as const;

/** The parts of a row's score as bars. */
export function WhyHere({ candidate, scale }: { candidate: CandidateView; scale: number }) {
  const evidence = evidenceOf(candidate);
  const total = (sign: number) =>
    evidence.filter(({ value }) => value * sign > 0).reduce((sum, { value }) => sum + value, 0);
  const sums = SUMS.map((signal) => ({ signal, value: candidate[signal] })).filter(({ value }) => value !== 0);
  return (
    <div class="why-here">
      <h3>What counted</h3>
      {evidence.length === 0 ? (
        <p class="dim">No signal counted for or against it.</p>
      ) : (
        <>
          <SignedBars label="What counted for and against it" bars={evidence} scale={scale} />
          <p class="small dim">
            For it {signed(total(1))}, against it {signed(total(-1))}. Its score of {decimals(candidate.score)} is the
            chance that it answers, by how far this is behind the best.
          </p>
        </>
      )}
      <h3>Parts of the score</h3>
      <ul class="signed-bars" aria-label="Shares, from 0 to 1">
        {SHARES.map((part) => (
          <SharePart key={part} part={part} value={candidate[part]} />
        ))}
      </ul>
      {sums.length > 0 && <SignedBars label="Sums of what counted" bars={sums} scale={scale} />}
      <Legend shown={evidence} />
    </div>
  );
}

function SharePart({ part, value }: { part: string; value: number | null }) {
  const { name, about } = signalWords(part);
  return (
    <li title={`${part}: ${about}`}>
      <span class="signed-name">{name}</span>
      <span class="share-track" aria-hidden="true">
        <span class="share-bar" style={{ width: `${100 * Math.min(1, Math.max(0, value ?? 0))}%` }} />
      </span>
      <span class="signed-value">{value === null ? "none yet" : decimals(value)}</span>
    </li>
  );
}

/** What the bars mean. */
const Legend = ({ shown }: { shown: readonly SignedBar[] }) => (
  <details>
    <summary>What these mean</summary>
    <p class="small">
      <span class="swatch signed-for" aria-hidden="true" /> To the right: speaks for it.{" "}
      <span class="swatch signed-against" aria-hidden="true" /> To the left: speaks against it. Figures are in nats: one
      more multiplies the odds by 2.7. Signals that came to nothing are left out.
    </p>
    <dl class="pairs small">
      {[...shown.map(({ signal }) => signal), ...SHARES].map((signal) => (
        <Pair
          key={signal}
          name={
            <>
              {signalWords(signal).name} <code>{signal}</code>
            </>
          }
        >
          {signalWords(signal).about}
        </Pair>
      ))}
    </dl>
  </details>
);
