import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { setup } from "./server.ts";

/** Longest to wait for anything: against a hang, on a machine that is busy with others. */
const WAIT_MS = 90_000;

/** Starts the browser. As root, which CI is, Chromium has no sandbox. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: setup.chromium,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    timeout: WAIT_MS,
  });

export interface WatchedPage {
  readonly page: Page;
  /** What the page failed at: exceptions, and everything that its policy forbade. */
  readonly faults: string[];
  /** Hosts that it asked for anything. */
  readonly hosts: Set<string>;
}

export interface PageOptions {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** The language of whoever looks. */
  readonly locale?: string;
  /** Only to run what looks for faults of accessibility, which the policy would not let in. */
  readonly bypassPolicy?: boolean;
}

/** A tab of its own, which remembers what went wrong in it. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { scheme = "light", width = 1280, height = 860, locale = "en-US", bypassPolicy = false } = options;
  const context = await browser.newContext({
    colorScheme: scheme,
    locale,
    viewport: { width, height },
    bypassCSP: bypassPolicy,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const hosts = new Set<string>();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /policy|trusted/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") || protocol.startsWith("ws")) hosts.add(host);
  });
  return { page, faults, hosts };
}
