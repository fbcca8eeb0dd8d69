import { useState } from "preact/hooks";
import type { CallProblem } from "../api/problem.ts";
import { asProblem } from "../api/problem.ts";
import { Field } from "../kit/controls.tsx";
import { Problem } from "../kit/layout.tsx";
import { signIn } from "./identity.ts";

/** Asks for a key: where the server needs one and none was given, or the one given is refused. */
export function SignIn({ refused }: { refused: CallProblem | null }) {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<CallProblem | null>(refused);
  const submit = async (event: Event) => {
    event.preventDefault();
    await signIn(key.trim()).catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={submit}>
        <h1>Cairn</h1>
        <p>
          This server needs a key. Make one on its machine with <code>cairn keys create</code>.
        </p>
        {problem && <Problem problem={problem} />}
        <Field label="Key" hint="Kept for this tab alone, and sent as a header. No cookie is set.">
          {(id) => (
            <input
              id={id}
              type="password"
              autocomplete="off"
              value={key}
              onInput={({ currentTarget }) => setKey(currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="primary" disabled={key.trim() === ""}>
          Sign in
        </button>
      </form>
    </main>
  );
}
