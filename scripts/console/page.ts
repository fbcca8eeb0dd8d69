import { minify } from "terser";

const ENTRY = "src/console/main.tsx";
const ICON = "src/console/icon.svg";
const STYLES = "src/console/styles/all.css";

/** The console as one HTML page: its script and styles stand in it, and nothing is loaded from anywhere. */
export async function consolePage(): Promise<string> {
  const [script, styles] = await Promise.all([bundle(ENTRY).then(smaller), bundle(STYLES)]);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="color-scheme" content="light dark" />',
    "<title>Cairn</title>",
    // Keeps browsers from asking for /favicon.ico.
    `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent((await Bun.file(ICON).text()).trim())}" />`,
    `<style>${styles}</style>`,
    "</head>",
    "<body>",
    '<div id="console"></div>',
    "<noscript>The console needs JavaScript. Everything it does, `cairn --help` and /api/docs do too.</noscript>",
    `<script type="module">${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** A script with shorter code for the same: some four parts of a hundred fewer bytes, compressed, than the bundler's own. */
async function smaller(script: string): Promise<string> {
  const { code } = await minify(script, { module: true, ecma: 2020, compress: { passes: 2 } });
  if (code === undefined) throw new Error("Nothing is left of the script.");
  return code;
}

async function bundle(entry: string): Promise<string> {
  const { outputs, logs } = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  for (const line of logs) console.warn(String(line));
  const [output] = outputs;
  if (!output) throw new Error(`${entry} gave no output.`);
  const text = await output.text();
  // The parser of HTML would end the element there.
  if (/<\/(?:script|style)/i.test(text)) throw new Error(`${entry} holds an end tag.`);
  return text.trim();
}
