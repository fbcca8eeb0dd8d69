import { useEffect, useRef } from "preact/hooks";
import { colourOf, isRound, swatchOf } from "./colours.ts";
import { paletteFor } from "./graph/draw.ts";
import type { GraphLink, GraphNode } from "./graph/layout.ts";
import type { Scene, Seen } from "./graph/scene.ts";
import { showScene } from "./graph/scene.ts";
import { shownScheme } from "./scheme.ts";

interface GraphPictureProps {
  /** What the picture says, for whoever does not see it; a list beside it has to say the same. */
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  /** Every kind there may be, in an order that stays: it says the colours. */
  readonly kinds: readonly string[];
  readonly onOpen: (id: string) => void;
}

const ZOOM_STEP = 1.4;
const NOTHING_SEEN: Seen = { places: new Map(), view: null };

/** A graph as a picture: nodes can be dragged and opened, the picture moved and zoomed. */
export function GraphPicture({ label, nodes, links, kinds, onOpen }: GraphPictureProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const scene = useRef<Scene | null>(null);
  const seen = useRef(NOTHING_SEEN);
  const opened = useRef(onOpen);
  opened.current = onOpen;
  const asked = JSON.stringify([nodes, links, shownScheme()]);
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const colours = kinds.map((_, i) => ({ colour: colourOf(i), isRound: isRound(i) }));
    const unknown = { colour: colourOf(kinds.length), isRound: isRound(kinds.length) };
    const shown = showScene(canvas, {
      nodes,
      links,
      palette: paletteFor(canvas, (kind) => colours[kinds.indexOf(kind)] ?? unknown),
      onOpen: (id) => opened.current(id),
      isStill: matchMedia("(prefers-reduced-motion: reduce)").matches,
      before: seen.current,
    });
    scene.current = shown;
    return () => {
      seen.current = shown.end();
      scene.current = null;
    };
  }, [asked]);
  const present = kinds.map((kind, i) => ({ kind, i })).filter(({ kind }) => nodes.some((node) => node.kind === kind));
  return (
    <figure class="chart graph">
      <div class="graph-box">
        <canvas ref={ref} role="img" aria-label={label} />
        <div class="graph-buttons">
          <button type="button" aria-label="Zoom in" onClick={() => scene.current?.zoom(ZOOM_STEP)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => scene.current?.zoom(1 / ZOOM_STEP)}>
            −
          </button>
          <button type="button" onClick={() => scene.current?.fit()}>
            Fit
          </button>
        </div>
      </div>
      <figcaption class="legend">
        {present.map(({ kind, i }) => (
          <span key={kind}>
            <span
              class={`swatch ${isRound(i) ? "round" : ""}`}
              style={{ background: swatchOf(i) }}
              aria-hidden="true"
            />{" "}
            {kind}
          </span>
        ))}
        {links.some(({ isDirected }) => !isDirected) && <span>– – named together</span>}
      </figcaption>
    </figure>
  );
}
