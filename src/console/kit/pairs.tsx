import type { ComponentChildren } from "preact";

/** A name and what stands for it: a row of a list of the class `pairs`. */
export const Pair = ({ name, children }: { name: ComponentChildren; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export type NamedValue = readonly [name: string, value: ComponentChildren];

/** Names and what stands for them, one below the other. */
export const Pairs = ({ of }: { of: readonly NamedValue[] }) => (
  <dl class="pairs">
    {of.map(([name, value]) => (
      <Pair key={name} name={name}>
        {value}
      </Pair>
    ))}
  </dl>
);
