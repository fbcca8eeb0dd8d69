import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { CallProblem } from "../api/problem.ts";
import { nextStep } from "../api/problem.ts";

interface PageProps {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly about?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of every page. */
export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Cairn`;
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1 dir="auto">{title}</h1>
          {about && <p class="dim">{about}</p>}
        </div>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a page. */
export function Panel({ title, actions, children, class: extra = "" }: PanelProps) {
  return (
    <section class={`panel ${extra}`}>
      {(title || actions) && (
        <header class="panel-head">
          {title && <h2>{title}</h2>}
          <div class="actions">{actions}</div>
        </header>
      )}
      {children}
    </section>
  );
}

/** What stands where there is nothing yet: what this is for, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="dim">{children}</div>}
    </div>
  );
}

/** A refusal, and what to do about it. */
export function Problem({ problem, retry }: { problem: CallProblem; retry?: () => void }) {
  const next = nextStep(problem);
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{problem.message}</strong>
      </p>
      {next && <p>{next}</p>}
      <p class="dim">
        <code>{problem.code}</code>{" "}
        {retry && (
          <button type="button" class="link" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

/** Stands where something is being fetched; does not flash for what comes at once. */
export const Loading = ({ lines = 3 }: { lines?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <div class="loading-line" key={i} />
    ))}
  </div>
);

interface LoadedProps<T> {
  readonly of: { readonly data: T | null; readonly problem: CallProblem | null; reload(): void };
  readonly children: (data: T) => ComponentChildren;
  readonly lines?: number;
}

/** Shows what was fetched, that it is being fetched, or why it could not be. */
export function Show<T>({ of: { data, problem, reload }, children, lines }: LoadedProps<T>) {
  return (
    <>
      {problem && <Problem problem={problem} retry={reload} />}
      {data !== null ? children(data) : !problem && <Loading lines={lines ?? 3} />}
    </>
  );
}
