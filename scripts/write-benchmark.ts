// Usage: bun scripts/write-benchmark.ts NAME COMMAND...
//
// Runs a command and puts the table that it prints between the marks of NAME in docs/benchmarks.md, with the day, the machine and the
// command. Paths outside the repository are shortened to the file's name.
import { availableParallelism, totalmem } from "node:os";
import { basename, isAbsolute, relative } from "node:path";
import { withPart } from "./markdown.ts";

const PAPER = "docs/benchmarks.md";
const GIB = 2 ** 30;

const [name, ...command] = process.argv.slice(2);
if (name === undefined || command.length === 0) {
  console.error("Usage: bun scripts/write-benchmark.ts NAME COMMAND...");
  process.exit(2);
}
const paper = await Bun.file(PAPER).text();
// A part that is not there is told before the command has run for minutes.
withPart(paper, name, "");

const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
const printed = await new Response(child.stdout).text();
if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed.`);
const lines = printed.split("\n");
const rows = lines.filter((line) => line.startsWith("|"));
// Lines of JSON are for machines.
const text = lines
  .filter((line) => !/^[{[]/.test(line))
  .join("\n")
  .trim();
const table = rows.length > 0 ? rows.join("\n") : `\`\`\`\n${text}\n\`\`\``;
const shown = command.map((part) => (isAbsolute(part) ? shortened(part) : part)).join(" ");
const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / GIB)} GiB`;
const day = new Date().toISOString().slice(0, 10);
await Bun.write(PAPER, withPart(paper, name, `${table}\n\n${day}, ${machine}: \`${shown}\``));

function shortened(path: string): string {
  const own = relative(process.cwd(), path);
  return own.startsWith("..") ? basename(path) : own;
}
