import { isRound, SERIES_MAX } from "./colours.ts";

export interface ScatterPoint {
  readonly id: string;
  /** -1 to 1, upwards and to the right. */
  readonly x: number;
  readonly y: number;
  /** `id` of its group. */
  readonly group: number;
}

export interface ScatterGroup {
  readonly id: number;
  readonly words: string;
  readonly x: number;
  readonly y: number;
}

export interface Colours {
  readonly series: readonly string[];
  readonly text: string;
  readonly back: string;
}

/** The size of a picture, in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const EDGE_PX = 24;
/** Few points are drawn larger. */
const radiusOf = (points: readonly unknown[]): number => (points.length > 300 ? 3.5 : 5);
const POINTED_PX = 8;
const HIT_PX = 14;
const LABEL_PX = 13;
/** Words stand above the middle, so that they do not hide a point that is there alone. */
const WORDS_ABOVE_PX = 16;
const DIMMED = 0.15;
const TURN = 2 * Math.PI;

/** Where a place of the plane lies in the picture. */
const placeIn = ({ width, height }: Size, { x, y }: { readonly x: number; readonly y: number }) => ({
  left: EDGE_PX + ((x + 1) / 2) * (width - 2 * EDGE_PX),
  top: EDGE_PX + ((1 - y) / 2) * (height - 2 * EDGE_PX),
});

interface Scene extends Size {
  readonly points: readonly ScatterPoint[];
  readonly groups: readonly ScatterGroup[];
  readonly colours: Colours;
  readonly pointed: string | null;
  /** The only group that is not dimmed. */
  readonly group: number | null;
}

/** Draws points, the one that is pointed at, and the words of the groups at their middles. */
export function drawScatter(context: CanvasRenderingContext2D, scene: Scene): void {
  const { points, groups, colours, pointed, group } = scene;
  context.clearRect(0, 0, scene.width, scene.height);
  const radius = radiusOf(points);
  for (const point of points) {
    context.globalAlpha = group === null || group === point.group ? 0.8 : DIMMED;
    drawPoint(context, scene, point, radius);
  }
  context.globalAlpha = 1;
  const at = points.find(({ id }) => id === pointed);
  if (at) {
    drawPoint(context, scene, at, POINTED_PX);
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.stroke();
  }
  drawWords(context, scene, group === null ? groups : groups.filter(({ id }) => id === group));
}

function drawPoint(context: CanvasRenderingContext2D, scene: Scene, point: ScatterPoint, radius: number): void {
  const { left, top } = placeIn(scene, point);
  context.fillStyle = scene.colours.series[point.group % SERIES_MAX] ?? scene.colours.text;
  context.beginPath();
  if (isRound(point.group)) context.arc(left, top, radius, 0, TURN);
  else context.rect(left - radius, top - radius, 2 * radius, 2 * radius);
  context.fill();
}

/** Words that would lie on others, or over the edge, are moved; where there is no room they are left out. */
function drawWords(context: CanvasRenderingContext2D, scene: Scene, groups: readonly ScatterGroup[]): void {
  context.font = `600 ${LABEL_PX}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = scene.colours.back;
  context.fillStyle = scene.colours.text;
  const taken: Box[] = [];
  for (const { words, x, y } of groups) {
    const middle = placeIn(scene, { x, y });
    const half = context.measureText(words).width / 2 + 2;
    if (2 * half > scene.width) continue;
    const left = Math.min(Math.max(middle.left, half), scene.width - half);
    const tops = [0, -1, 1, 2, 3].map((step) => middle.top - WORDS_ABOVE_PX + step * (LABEL_PX + 3));
    const top = tops.find((one) => taken.every((box) => isApart(box, { left, top: one, half })));
    if (top === undefined) continue;
    taken.push({ left, top, half });
    context.strokeText(words, left, top);
    context.fillText(words, left, top);
  }
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly half: number;
}
const isApart = (one: Box, other: Box): boolean =>
  Math.abs(one.top - other.top) > LABEL_PX + 2 || Math.abs(one.left - other.left) > one.half + other.half;

/** The point that lies nearest to a place of the picture, where one is near. */
export function pointAt(points: readonly ScatterPoint[], size: Size, left: number, top: number): ScatterPoint | null {
  let best: ScatterPoint | null = null;
  let least = HIT_PX;
  for (const point of points) {
    const place = placeIn(size, point);
    const far = Math.hypot(place.left - left, place.top - top);
    if (far < least) [best, least] = [point, far];
  }
  return best;
}

/** The next point in a direction: the nearest one there, what lies aside counting double. */
export function nextPoint(points: readonly ScatterPoint[], from: ScatterPoint, right: number, up: number) {
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const ahead = (point.x - from.x) * right + (point.y - from.y) * up;
    const aside = Math.abs((point.x - from.x) * up) + Math.abs((point.y - from.y) * right);
    if (point !== from && ahead > 0 && ahead + 2 * aside < least) [best, least] = [point, ahead + 2 * aside];
  }
  return best;
}
