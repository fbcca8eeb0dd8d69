import type { CallToolResult } from "@modelcontextprotocol/server";
import { MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import type { Extras, ExtraTool } from "../../../src/mcp/extras.ts";
import { ToolError } from "../../../src/mcp/tool-error.ts";
import { ASKING_PROMPT, ASKING_TOOLS } from "./asking.ts";

// What the suite of the protocol asks a server to have, to the letter.

/** What every fixture is for. */
const DESCRIPTION = "Exists for the suite of the protocol.";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
const text = (said: string) => ({ type: "text" as const, text: said });

const plain = (name: string, run: ExtraTool["run"]): ExtraTool => ({
  listed: { name, description: DESCRIPTION, inputSchema: { type: "object" } },
  run,
});
const answering = (name: string, ...content: CallToolResult["content"]): ExtraTool =>
  plain(name, async () => ({ content }));

const resource = (uri: string, mimeType: string, said: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: said },
});

const withProgress = plain("test_tool_with_progress", async (_, { mcpReq }) => {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    await Bun.sleep(5);
  }
  return { content: [text("Done, in three steps.")] };
});

const jsonSchema: ExtraTool = {
  ...answering("json_schema_2020_12_tool", text("ok")),
  listed: {
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    inputSchema: {
      type: "object",
      ...{
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $defs: {
          address: {
            $anchor: "addressDef",
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: {
          name: { type: "string" },
          address: { $ref: "#/$defs/address" },
          contactMethod: { type: "string", enum: ["phone", "email"] },
          phone: { type: "string" },
          email: { type: "string" },
        },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
      },
    },
  },
};

export const FIXTURES: Extras = {
  tools: [
    answering("test_simple_text", text("This is a simple text response for testing.")),
    answering("test_image_content", image),
    answering("test_audio_content", { type: "audio", data: WAV, mimeType: "audio/wav" }),
    answering(
      "test_embedded_resource",
      resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ),
    answering(
      "test_multiple_content_types",
      text("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
    ),
    plain("test_error_handling", async () => {
      throw new ToolError("BAD_REQUEST", "This tool intentionally returns an error for testing");
    }),
    withProgress,
    plain("test_missing_capability", async () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }),
    // Cairn logs to its own log and never to a client, whether one asks for it or not.
    answering("test_logging_tool", text("Done, and nothing said of it.")),
    jsonSchema,
    ...ASKING_TOOLS,
  ],
  prompts: [
    {
      name: "test_simple_prompt",
      description: DESCRIPTION,
      arguments: [],
      get: async () => ({ messages: [{ role: "user", content: text("This is a simple prompt for testing.") }] }),
    },
    {
      name: "test_prompt_with_arguments",
      description: DESCRIPTION,
      arguments: ["arg1", "arg2"].map((name) => ({ name, description: DESCRIPTION, required: true })),
      get: async ({ arg1, arg2 }) => ({
        messages: [{ role: "user", content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
      }),
    },
    {
      name: "test_prompt_with_embedded_resource",
      description: DESCRIPTION,
      arguments: [{ name: "resourceUri", description: DESCRIPTION, required: true }],
      get: async ({ resourceUri = "" }) => ({
        messages: [
          { role: "user", content: resource(resourceUri, "text/plain", "Embedded resource content for testing.") },
          { role: "user", content: text("Please process the embedded resource above.") },
        ],
      }),
    },
    {
      name: "test_prompt_with_image",
      description: DESCRIPTION,
      arguments: [],
      get: async () => ({
        messages: [
          { role: "user", content: image },
          { role: "user", content: text("Please analyze the image above.") },
        ],
      }),
    },
    ASKING_PROMPT,
  ],
  resources: [
    {
      uri: "test://static-text",
      name: "static-text",
      mimeType: "text/plain",
      content: { text: "This is the content of the static text resource." },
    },
    { uri: "test://static-binary", name: "static-binary", mimeType: "image/png", content: { blob: PNG } },
  ],
  templates: [
    {
      uriTemplate: "test://template/{id}/data",
      name: "template",
      mimeType: "application/json",
      textAt: (uri) => {
        const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
        return id === undefined ? null : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      },
    },
  ],
};
