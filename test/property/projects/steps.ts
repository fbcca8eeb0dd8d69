import fc from "fast-check";

// What people, agents and programs do. Numbers are taken for one of what there is by then.

const pick = fc.nat(99);
/** A project, or everyone. */
const whose = fc.option(pick, { freq: 4 });
const word = fc.nat(11).map((n) => `zq${String.fromCharCode(97 + n)}xv`);
const agent = fc.constantFrom("ann", "bob");
const run = fc.constantFrom("monday", "tuesday");
const text = { word, agent, run, isShown: fc.nat(4).map((n) => n === 0) };
/** Names that people give, some of which folders and programs use, too. */
const name = fc.constantFrom("harbour", "quay", "client-a/api", "client-b/api", "api");

export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("save"), place: pick, ...text }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("post"), name, ...text }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("share"), ...text }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("look"), place: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("move"),
      texts: fc.array(pick, { minLength: 1, maxLength: 4 }),
      to: whose,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("split"),
      from: whose,
      by: fc.oneof(fc.record({ agent }), fc.record({ run }), fc.record({ word })),
      to: whose,
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("merge"), from: pick, into: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("rename"), project: pick, name }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("alias"), project: pick, name }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("unalias"), project: pick, name }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("settle"), project: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("trust"), place: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("change remote"), place: pick }) },
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
