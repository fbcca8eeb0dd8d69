import type { Answer } from "../reply.ts";

/**
 * A service worker that another program once left for this address answers in the place of our pages. Cairn has none, so
 * that whatever asks for the script of one is told to end: the browser asks again after each page that it opened.
 */
const ENDS_ITSELF = `addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(end()));
async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
  for (const client of await clients.matchAll({ type: "window" })) await client.navigate(client.url);
}
`;

const ANSWER: Answer = {
  status: 200,
  body: ENDS_ITSELF,
  headers: { "Content-Type": "text/javascript; charset=utf-8", "Service-Worker-Allowed": "/" },
};

/** What a browser is answered that asks for the script of a service worker; null for every other request. */
export const endOfLeftOverWorker = ({ method, headers }: Request): Answer | null =>
  method === "GET" && headers.get("service-worker") === "script" ? ANSWER : null;
