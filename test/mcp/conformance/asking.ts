import type { InputRequiredSpec, ServerContext } from "@modelcontextprotocol/server";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ExtraPrompt, ExtraTool } from "../../../src/mcp/extras.ts";

// Tools that ask the client back. None of Cairn's does; what they need of the transport is tested all the same.

const codec = createRequestStateCodec<string>({ key: crypto.getRandomValues(new Uint8Array(32)) });

/** The state of the round before. Throws ProtocolError when a client has changed it. */
async function stateOf(context: ServerContext): Promise<string | null> {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return null;
  return codec.verify(state, context).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The requestState is not one of this server.");
  });
}

const asking = (name: string, run: ExtraTool["run"]): ExtraTool => ({
  listed: { name, description: "Asks its client back.", inputSchema: { type: "object" } },
  run,
});
const done = (text: string) => ({ content: [{ type: "text" as const, text }] });

const askName = (message = "What is your name?") =>
  inputRequired.elicit({ message, requestedSchema: z.object({ name: z.string() }) });
const askModel = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens });

const Name = z.object({ name: z.string() });
const nameIn = ({ mcpReq }: ServerContext, key: string): string | undefined =>
  acceptedContent(mcpReq.inputResponses, key, Name)?.name;
const kindOf = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key).kind;

/** Asks for a yes, under a state that must come back as it was. */
const confirming = (name: string): ExtraTool =>
  asking(name, async (_, context) => {
    const state = await stateOf(context);
    if (state === "asked" && kindOf(context, "confirm") === "elicit") return done("state-ok");
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: "Please confirm",
          requestedSchema: z.object({ ok: z.boolean() }),
        }),
      },
      requestState: await codec.mint("asked", context),
    });
  });

const elicitation: ExtraTool["run"] = async (_, context) => {
  const name = nameIn(context, "user_name");
  if (name !== undefined) return done(`Hello, ${name}!`);
  return inputRequired({ inputRequests: { user_name: askName() } });
};

/** What a client says it can be asked. */
const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z
    .object({ sampling: z.unknown().optional(), elicitation: z.unknown().optional() })
    .optional(),
});

export const ASKING_TOOLS: readonly ExtraTool[] = [
  asking("test_input_required_result_elicitation", elicitation),
  asking("test_streaming_elicitation", elicitation),
  asking("test_input_required_result_sampling", async (_, context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "capital_question");
    if (answer.kind === "sampling") return done(JSON.stringify(answer.result.content));
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?", 100) } });
  }),
  asking("test_input_required_result_list_roots", async (_, context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "client_roots");
    if (answer.kind === "roots") return done(answer.roots.map(({ uri }) => uri).join(", "));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  }),
  confirming("test_input_required_result_request_state"),
  confirming("test_input_required_result_tampered_state"),
  asking("test_input_required_result_multiple_inputs", async (_, context) => {
    const answered = ["user_name", "greeting", "client_roots"].map((key) => kindOf(context, key));
    if ((await stateOf(context)) === "asked" && !answered.includes("missing")) return done(answered.join(", "));
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: askModel("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint("asked", context),
    });
  }),
  asking("test_input_required_result_multi_round", async (_, context) => {
    const state = await stateOf(context);
    if (state === "step2" && kindOf(context, "step2") === "elicit") return done("Both steps are done.");
    if (state === "step1" && nameIn(context, "step1") !== undefined) {
      const step2 = inputRequired.elicit({
        message: "Step 2: What is your favorite color?",
        requestedSchema: z.object({ color: z.string() }),
      });
      return inputRequired({ inputRequests: { step2 }, requestState: await codec.mint("step2", context) });
    }
    return inputRequired({
      inputRequests: { step1: askName("Step 1: What is your name?") },
      requestState: await codec.mint("step1", context),
    });
  }),
  asking("test_input_required_result_capabilities", async (_, { mcpReq }) => {
    const can = Envelope.parse(mcpReq.envelope ?? {})[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: NonNullable<InputRequiredSpec["inputRequests"]> = {
      ...(can?.sampling ? { greeting: askModel("Generate a greeting", 50) } : {}),
      ...(can?.elicitation ? { user_name: askName() } : {}),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : done("Nothing can be asked.");
  }),
];

const Context = z.object({ context: z.string() });

export const ASKING_PROMPT: ExtraPrompt = {
  name: "test_input_required_result_prompt",
  description: "Asks its client back.",
  arguments: [],
  get: async (_, { mcpReq }) => {
    const context = acceptedContent(mcpReq.inputResponses, "user_context", Context)?.context;
    if (context === undefined) {
      const message = "What context should the prompt use?";
      return inputRequired({
        inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema: Context }) },
      });
    }
    return { messages: [{ role: "user", content: { type: "text", text: `Consider ${context}.` } }] };
  },
};
