// A whole Cairn with the tools, resources and prompts that the suite of the protocol asks for. Prints its address, ends with its input.
import { createMcp } from "../../../src/mcp/handler.ts";
import { openApp } from "../../support/in-process.ts";
import { FIXTURES } from "./fixtures.ts";

const { app } = await openApp({ mcp: createMcp(FIXTURES) });
console.log(`${app.listen().url}/mcp`);
for await (const _ of Bun.stdin.stream());
await app.stop();
