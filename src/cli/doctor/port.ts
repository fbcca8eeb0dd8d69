import { createServer } from "node:net";
import { holderOfPort, processNamed } from "../server/holder.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

/** Whether a server could listen where it is told to; only worth asking while none runs. */
export async function inspectPort(host: string, port: number): Promise<DoctorFinding> {
  const say = about("server", "port");
  if (port === 0) return say.well("any free one");
  const code = await refusal(host, port);
  if (code === null) return say.well(`${host}:${port} is free`);
  const holder = code === "EADDRINUSE" ? holderOfPort(port) : null;
  const by = holder === null ? "" : ` by ${processNamed(holder)}`;
  const what =
    code === "EADDRINUSE" ? `${host}:${port} is taken${by}.` : `${host}:${port} cannot be listened on (${code}).`;
  return say.fault(what, {
    why: "The server cannot start there, and agents that call this address reach something else.",
    // Whoever has it is at work for somebody, perhaps as the server of another folder: it is not to be ended for this one.
    repair: "cairn serve --port 0",
  });
}

/** Why one cannot listen there; null when one can. */
function refusal(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}
