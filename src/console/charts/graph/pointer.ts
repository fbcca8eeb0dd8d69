import type { Placed } from "./layout.ts";
import type { Point } from "./view.ts";

/** What a scene does when one points at it. */
interface Pointed {
  nodeAt(at: Point): Placed | null;
  point(node: Placed | null): void;
  /** Holds a node at a point of the canvas; null lets it go. */
  hold(node: Placed, at: Point | null): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  open(node: Placed): void;
}

interface Grip {
  readonly node: Placed | null;
  readonly from: Point;
  last: Point;
  hasMoved: boolean;
}

/** Pixels within which a press counts as a click. */
const CLICK_MAX = 4;
const ZOOM_PER_PIXEL = 0.002;

/** Follows the pointer on a canvas: nodes are dragged and opened, the rest is moved, the wheel zooms. Gives what ends it. */
export function followPointer(canvas: HTMLCanvasElement, scene: Pointed): () => void {
  let grip: Grip | null = null;
  const abort = new AbortController();
  const { signal } = abort;
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };
  const release = () => {
    if (grip?.node) scene.hold(grip.node, null);
    grip = null;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const from = pointOf(event);
    grip = { node: scene.nodeAt(from), from, last: from, hasMoved: false };
    canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const at = pointOf(event);
    if (!grip) {
      const node = scene.nodeAt(at);
      canvas.style.cursor = node ? "pointer" : "grab";
      scene.point(node);
      return;
    }
    grip.hasMoved ||= Math.hypot(at.x - grip.from.x, at.y - grip.from.y) > CLICK_MAX;
    if (!grip.hasMoved) return;
    if (grip.node) scene.hold(grip.node, at);
    else scene.pan(at.x - grip.last.x, at.y - grip.last.y);
    grip.last = at;
  };
  const up = () => {
    const opened = grip && !grip.hasMoved ? grip.node : null;
    release();
    if (opened) scene.open(opened);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    scene.zoom(Math.exp(-event.deltaY * ZOOM_PER_PIXEL), pointOf(event));
  };
  canvas.addEventListener("pointerdown", down, { signal });
  canvas.addEventListener("pointermove", move, { signal });
  canvas.addEventListener("pointerup", up, { signal });
  canvas.addEventListener("pointercancel", release, { signal });
  canvas.addEventListener("pointerleave", () => grip ?? scene.point(null), { signal });
  canvas.addEventListener("wheel", wheel, { signal, passive: false });
  return () => abort.abort();
}
