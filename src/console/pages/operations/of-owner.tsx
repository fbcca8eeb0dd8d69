import type { ComponentChildren } from "preact";
import type { Loaded } from "../../api/query.ts";
import { Empty, Show } from "../../kit/layout.tsx";

interface OfOwnerProps<T> {
  readonly of: Loaded<T>;
  /** What it is that others may not see, as `The log`. */
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows what the owner of the machine alone may see; others are told so, and how to become one. */
export function OfOwner<T>({ of, what, children }: OfOwnerProps<T>) {
  if (of.problem?.code !== "ADMIN_REQUIRED") return <Show of={of}>{children}</Show>;
  return (
    <Empty title={`${what} is for the owner of the machine.`}>
      <p>{of.problem.message}</p>
      <p>
        Open the console on a server that asks nobody for a key, or sign in with the shared key that the server was
        started with (<code>CAIRN_API_KEY</code>). <code>ADMIN_REQUIRED</code>
      </p>
    </Empty>
  );
}
