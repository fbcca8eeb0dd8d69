import { cutTo } from "../../kit/text.tsx";
import { cssColour } from "../colours.ts";
import type { Layout, Placed, PlacedLink } from "./layout.ts";
import type { Point, Size, View } from "./view.ts";
import { toCanvas } from "./view.ts";

export interface Palette {
  readonly text: string;
  readonly dim: string;
  readonly line: string;
  readonly panel: string;
  readonly accent: string;
  readonly font: string;
  /** Colour and shape of a kind. */
  of(kind: string): { readonly colour: string; readonly isRound: boolean };
}

/** The colours of the present scheme. */
export function paletteFor(canvas: HTMLCanvasElement, of: Palette["of"]): Palette {
  const [text, dim, line] = [cssColour("--text"), cssColour("--dim"), cssColour("--line")];
  const font = getComputedStyle(canvas).fontFamily;
  return { text, dim, line, panel: cssColour("--panel"), accent: cssColour("--accent"), font, of };
}

export interface Drawing {
  readonly layout: Layout;
  readonly view: View;
  readonly size: Size;
  readonly palette: Palette;
  /** The node pointed at: it and what is linked to it stand out. */
  readonly pointed: Placed | null;
}

const LABEL_MAX = 28;
const LABEL_PX = 12;
const ARROW_PX = 6;

/** Draws all of a graph. */
export function draw(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { layout, size, pointed } = drawing;
  context.clearRect(0, 0, size.width, size.height);
  const beside = new Set<Placed>(pointed ? [pointed] : []);
  for (const { source, target } of layout.links) {
    if (source === pointed) beside.add(target);
    if (target === pointed) beside.add(source);
  }
  const isBack = (...ends: Placed[]) => pointed !== null && !ends.every((one) => beside.has(one));
  for (const link of layout.links) {
    const isOwn = link.source === pointed || link.target === pointed;
    context.globalAlpha = pointed !== null && !isOwn ? 0.25 : 1;
    drawLink(context, drawing, link, isOwn);
  }
  for (const one of layout.nodes) {
    context.globalAlpha = isBack(one) ? 0.3 : 1;
    drawNode(context, drawing, one);
  }
  context.globalAlpha = 1;
  drawLabels(context, drawing, pointed ? [...beside] : layout.nodes);
}

function drawLink(
  context: CanvasRenderingContext2D,
  { view, palette }: Drawing,
  { source, target, link }: PlacedLink,
  isOwn: boolean,
): void {
  const [from, to] = [toCanvas(view, source), toCanvas(view, target)];
  const colour = isOwn ? palette.accent : palette.dim;
  context.strokeStyle = colour;
  context.lineWidth = isOwn ? 1.6 : 0.8;
  context.setLineDash(link.isDirected ? [] : [4, 3]);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  context.setLineDash([]);
  if (link.isDirected) drawArrow(context, from, to, { back: target.radius * view.scale + 2, colour });
}

function drawArrow(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point,
  { back, colour }: { readonly back: number; readonly colour: string },
): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  context.save();
  context.translate(to.x - back * Math.cos(angle), to.y - back * Math.sin(angle));
  context.rotate(angle);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(-ARROW_PX, ARROW_PX / 2);
  context.lineTo(-ARROW_PX, -ARROW_PX / 2);
  context.fill();
  context.restore();
}

function drawNode(context: CanvasRenderingContext2D, { view, palette, pointed }: Drawing, one: Placed): void {
  const { x, y } = toCanvas(view, one);
  const radius = one.radius * view.scale;
  const { colour, isRound } = palette.of(one.node.kind);
  context.beginPath();
  if (isRound) context.arc(x, y, radius, 0, 2 * Math.PI);
  else context.rect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius);
  context.fillStyle = colour;
  context.fill();
  context.strokeStyle = one.node.isCentre || one === pointed ? palette.text : palette.panel;
  context.lineWidth = one.node.isCentre ? 3 : 1.5;
  context.stroke();
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function boxOf(view: View, one: Placed): Box {
  const { x, y } = toCanvas(view, one);
  const radius = one.radius * view.scale;
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

/** Writes the names under the nodes, the first ones first; what would lie over another one is left out until one points there. */
function drawLabels(
  context: CanvasRenderingContext2D,
  { view, palette, pointed, layout }: Drawing,
  shown: readonly Placed[],
): void {
  context.font = `${LABEL_PX}px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const taken = layout.nodes.filter(({ node }) => node.isCentre).map((one) => boxOf(view, one));
  const write = (text: string, { x, y }: Point, colour: string) => {
    const half = context.measureText(text).width / 2 + 2;
    const box = { left: x - half, right: x + half, top: y - LABEL_PX / 2 - 2, bottom: y + LABEL_PX / 2 + 2 };
    if (taken.some((other) => overlap(box, other))) return;
    taken.push(box);
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = palette.panel;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  };
  for (const one of shown) {
    const { x, y } = toCanvas(view, one);
    write(cutTo(one.node.name, LABEL_MAX), { x, y: y + one.radius * view.scale + LABEL_PX }, palette.text);
  }
  if (!pointed) return;
  for (const { source, target, link } of layout.links) {
    if (!link.isDirected || (source !== pointed && target !== pointed)) continue;
    const [from, to] = [toCanvas(view, source), toCanvas(view, target)];
    write(cutTo(link.name, LABEL_MAX), { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, palette.dim);
  }
}
