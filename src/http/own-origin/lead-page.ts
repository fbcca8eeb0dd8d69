import { hashSource } from "../headers.ts";
import type { Answer } from "../reply.ts";

/** Where a browser is led to, and what it is told where that cannot be reached. */
export interface Lead {
  /** Origin of the console. */
  readonly origin: string;
  /** Path and query of what was asked for. */
  readonly target: string;
  /** Path and query that the console's origin answers to whoever was told of it here. */
  readonly probe: string;
  /** Ports of programs and of the console. */
  readonly ports: { readonly programs: number; readonly console: number };
}

/** Goes on once the other port has answered: through a tunnel that lacks it, the browser would only say that it is refused. */
const SCRIPT = `const link = document.querySelector("a");
link.href += location.hash;
fetch(link.dataset.probe, { mode: "no-cors", cache: "no-store", signal: AbortSignal.timeout(5000) }).then(
  () => location.replace(link.href),
  () => { document.getElementById("lost").hidden = false; },
);`;

const STYLE =
  ":root { color-scheme: light dark; } body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em; }";

const policyFor = (origin: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashSource(SCRIPT)}`,
    `style-src ${hashSource(STYLE)}`,
    `connect-src ${origin}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** The page that leads from the address of programs to the same page at the console's own, for browsers that did not get there. */
export function leadPage({ origin, target, probe, ports }: Lead): Answer {
  const [href, asked] = [`${origin}${target}`, `${origin}${probe}`].map((text) => Bun.escapeHTML(text));
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Cairn</title>
<style>${STYLE}</style>
<h1>Cairn</h1>
<p>The console has an address of its own: <a href="${href}" data-probe="${asked}">${href}</a></p>
<div id="lost" hidden>
<p><strong>It cannot be reached from here.</strong> A tunnel or a container forwards port ${ports.programs} alone: have it forward port
${ports.console} too, under the same number. Or start the server with <code>--console-port ${ports.programs}</code>, which has the console
on the port of programs.</p>
<p>Whatever listened on port ${ports.programs} before may have left a service worker in this browser, which answers in the place of what
listens there now, and would speak to Cairn as its console. For the console's own port there is none.</p>
</div>
<script>${SCRIPT}</script>
</html>
`;
  return {
    status: 200,
    body,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policyFor(origin) },
  };
}
