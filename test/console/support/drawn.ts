import type { Page } from "playwright-core";
import { z } from "zod";

const Texts = z.array(z.object({ text: z.string(), x: z.number(), y: z.number() }));
type DrawnText = z.infer<typeof Texts>[number];

/** What is drawn on canvases from now on is noted: the texts of the latest picture, and where they stand. */
const NOTE = `
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
  globalThis.drawnTexts = [];
  CanvasRenderingContext2D.prototype.clearRect = function (...at) {
    globalThis.drawnTexts = [];
    return clearRect.apply(this, at);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    globalThis.drawnTexts.push({ text, x, y });
    return fillText.call(this, text, x, y);
  };
`;

/** Notes what a page draws; before it is opened. */
export const noteDrawing = (page: Page): Promise<unknown> => page.addInitScript(NOTE);

/** The texts of the picture that was drawn last, in CSS pixels of its canvas. */
export async function drawnTexts(page: Page): Promise<DrawnText[]> {
  // A picture that is asked for is drawn with the next frame.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  return Texts.parse(await page.evaluate("drawnTexts"));
}

/** Pictures to wait for, two to a look: a minute where nothing holds them up. */
const LOOKS = 1_800;

/** Resolves once these texts, and no others, are drawn; else throws, with those that are. */
export async function untilDrawn(page: Page, texts: readonly string[]): Promise<void> {
  const wanted = texts.toSorted().join(", ");
  let shown = "";
  for (let i = 0; i < LOOKS; i++) {
    shown = (await drawnTexts(page))
      .map(({ text }) => text)
      .sort()
      .join(", ");
    if (shown === wanted) return;
  }
  throw new Error(`Drawn is: ${shown}. Wanted was: ${wanted}.`);
}
