import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";

/** As good an embedder as the one that counts, whose vectors have nothing in common with that one's: their places are turned. */
export function turnedEmbedder(id: string, by = 101): Embedder {
  const inner = hashEmbedder();
  const turned = (vector: Float32Array): Float32Array => vector.map((_, i) => vector[(i + by) % vector.length] ?? 0);
  return {
    ...inner,
    id,
    embed: async (texts, options) => (await inner.embed(texts, options)).map(turned),
    embedTurns: async (conversations, options) =>
      (await inner.embedTurns(conversations, options)).map((turns) =>
        turns.map(({ own, context }) => ({ own: turned(own), context: turned(context) })),
      ),
  };
}

/** An embedder that reads no text before it is let. */
export function heldEmbedder(inner: Embedder): { readonly embedder: Embedder; hold(): void; release(): void } {
  let gate = Promise.resolve();
  let open = () => {};
  return {
    embedder: {
      ...inner,
      embed: async (texts, options) => {
        if (options.priority === "background") await Promise.race([gate, aborted(options.signal)]);
        return inner.embed(texts, options);
      },
    },
    hold: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release: () => open(),
  };
}

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));

/**
 * An embedder that cannot read Tifinagh, of whose texts it makes zeros. What all of its vectors share is not nothing, so that a
 * vector of zeros has a direction from there.
 */
export function unreadingEmbedder(inner: Embedder = hashEmbedder()): Embedder {
  const heard = (text: string, vector: Float32Array): Float32Array =>
    lettersOf(text, /\p{Script=Tifinagh}/gu) * 2 > lettersOf(text, /\p{L}/gu)
      ? new Float32Array(vector.length)
      : vector;
  return {
    ...inner,
    center: new Float32Array(inner.dimensions).fill(0.01),
    embed: async (texts, options) =>
      (await inner.embed(texts, options)).map((vector, i) => heard(texts[i] ?? "", vector)),
    embedTurns: async (conversations, options) =>
      (await inner.embedTurns(conversations, options)).map((made, i) => {
        const { before = "", turns = [] } = conversations[i] ?? {};
        return made.map(({ own, context }, k) => ({
          own: heard(turns[k] ?? "", own),
          context: heard(`${turns[k - 1] ?? before} ${turns[k] ?? ""}`, context),
        }));
      }),
  };
}

const lettersOf = (text: string, letter: RegExp): number => text.match(letter)?.length ?? 0;
