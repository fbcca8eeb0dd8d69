import type { Placed } from "./layout.ts";

/** Where the picture's origin lies on the canvas, in CSS pixels, and how many of them one unit takes. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const SCALE_MIN = 0.2;
const SCALE_MAX = 4;
/** Room for labels around the outermost nodes, in pixels. */
const MARGIN = 44;
const FIT_MAX = 1.4;

/** The view in which all nodes are in sight. */
export function fitted(nodes: readonly Placed[], { width, height }: Size): View {
  const left = Math.min(...nodes.map(({ x, radius }) => x - radius));
  const right = Math.max(...nodes.map(({ x, radius }) => x + radius));
  const top = Math.min(...nodes.map(({ y, radius }) => y - radius));
  const bottom = Math.max(...nodes.map(({ y, radius }) => y + radius));
  if (nodes.length === 0) return { x: width / 2, y: height / 2, scale: 1 };
  const fits = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top), FIT_MAX);
  const scale = Math.max(SCALE_MIN, fits);
  return { x: width / 2 - (scale * (left + right)) / 2, y: height / 2 - (scale * (top + bottom)) / 2, scale };
}

/** Nearer by a factor, with the point of the canvas under the pointer staying where it is. */
export function zoomed(view: View, factor: number, at: Point): View {
  const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, view.scale * factor));
  const by = scale / view.scale;
  return { x: at.x - by * (at.x - view.x), y: at.y - by * (at.y - view.y), scale };
}

/** A point of the canvas in units of the picture. */
export const toPicture = (view: View, { x, y }: Point): Point => ({
  x: (x - view.x) / view.scale,
  y: (y - view.y) / view.scale,
});

/** A place of the picture on the canvas. */
export const toCanvas = (view: View, { x, y }: Point): Point => ({
  x: view.x + view.scale * x,
  y: view.y + view.scale * y,
});

/** Pixels around a node that still count as it. */
const REACH = 6;

/** The node under a point of the canvas; of two, the nearer one. */
export function nodeAt(nodes: readonly Placed[], view: View, at: Point): Placed | null {
  const { x, y } = toPicture(view, at);
  const distance = (one: Placed) => Math.hypot(one.x - x, one.y - y);
  const within = nodes.filter((one) => distance(one) <= one.radius + REACH / view.scale);
  return within.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}
