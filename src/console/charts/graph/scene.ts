import type { Palette } from "./draw.ts";
import { draw } from "./draw.ts";
import type { GraphLink, GraphNode, Placed, Places } from "./layout.ts";
import { layoutOf } from "./layout.ts";
import { followPointer } from "./pointer.ts";
import type { Point, View } from "./view.ts";
import { fitted, nodeAt, toPicture, zoomed } from "./view.ts";

interface SceneOptions {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  readonly palette: Palette;
  readonly onOpen: (id: string) => void;
  /** Shown as it comes to rest, without the way there. */
  readonly isStill: boolean;
  /** Where the nodes of the picture before were, and how it was looked at; null where all is to be in sight. */
  readonly before: Seen;
}

export interface Seen {
  readonly places: Places;
  readonly view: View | null;
}

export interface Scene {
  /** Nearer or farther by a factor, about the middle. */
  zoom(factor: number): void;
  /** All in sight, now and as it moves. */
  fit(): void;
  /** Ends it and says what was seen. */
  end(): Seen;
}

/** Steps until a simulation rests, by its default cooling. */
const STEPS_TO_REST = 300;
/** How far a graph is heated when a node is dragged. */
const WARM = 0.3;

const aspectOf = ({ clientWidth, clientHeight }: HTMLCanvasElement): number =>
  clientWidth > 0 && clientHeight > 0 ? clientWidth / clientHeight : 1;

/** Shows a graph on a canvas, moving until it rests. */
export function showScene(canvas: HTMLCanvasElement, options: SceneOptions): Scene {
  const { nodes, links, palette, onOpen, isStill, before } = options;
  const context = canvas.getContext("2d");
  const layout = layoutOf({ nodes, links, before: before.places, aspect: aspectOf(canvas) });
  const { simulation } = layout;
  let chosen = before.view;
  let pointed: Placed | null = null;
  let frame = 0;

  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const view = () => chosen ?? fitted(layout.nodes, size());
  const paint = () => {
    frame = 0;
    const isMoving = simulation.alpha() > simulation.alphaMin();
    if (isMoving) simulation.tick(isStill ? STEPS_TO_REST : 1);
    if (context) draw(context, { layout, view: view(), size: size(), palette, pointed });
    if (isMoving && !isStill) ask();
  };
  const ask = () => {
    frame ||= requestAnimationFrame(paint);
  };
  const resize = () => {
    const ratio = devicePixelRatio;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    ask();
  };
  const look = (at: View) => {
    chosen = at;
    ask();
  };
  const stopPointer = followPointer(canvas, {
    nodeAt: (at) => nodeAt(layout.nodes, view(), at),
    point: (node) => {
      if (node === pointed) return;
      pointed = node;
      ask();
    },
    hold: (node, at: Point | null) => {
      chosen ??= view();
      const to = at && toPicture(chosen, at);
      node.fx = to?.x ?? null;
      node.fy = to?.y ?? null;
      if (to) Object.assign(node, to);
      if (!isStill && to) simulation.alpha(Math.max(WARM, simulation.alpha()));
      ask();
    },
    pan: (dx, dy) => {
      const { x, y, scale } = view();
      look({ x: x + dx, y: y + dy, scale });
    },
    zoom: (factor, at) => look(zoomed(view(), factor, at)),
    open: ({ node }) => onOpen(node.id),
  });
  const sized = new ResizeObserver(resize);
  sized.observe(canvas);
  return {
    zoom: (factor) => look(zoomed(view(), factor, { x: size().width / 2, y: size().height / 2 })),
    fit: () => {
      chosen = null;
      ask();
    },
    end: () => {
      cancelAnimationFrame(frame);
      sized.disconnect();
      stopPointer();
      return { places: new Map(layout.nodes.map(({ node, x, y }) => [node.id, { x, y }])), view: chosen };
    },
  };
}
