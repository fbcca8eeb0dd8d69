import { useEffect, useRef, useState } from "preact/hooks";
import { colourOf, cssColour, SERIES_MAX } from "./colours.ts";
import type { Colours, ScatterGroup, ScatterPoint, Size } from "./scatter-drawing.ts";
import { drawScatter, nextPoint, pointAt } from "./scatter-drawing.ts";
import { shownScheme } from "./scheme.ts";

interface ScatterProps {
  /** What the picture says, for whoever does not see it, and where the same stands as text. */
  readonly label: string;
  readonly points: readonly ScatterPoint[];
  readonly groups: readonly ScatterGroup[];
  /** The point that is pointed at, by its id. */
  readonly pointed: string | null;
  readonly onPoint: (id: string) => void;
  readonly onOpen: (id: string) => void;
  /** The only group that is not dimmed. */
  readonly group?: number | null;
}

const HEIGHT_MAX = 520;
const KEYS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Points on a plane, coloured by group. Pointing and the arrow keys go from point to point; click and Enter open one. */
export function Scatter({ label, points, groups, pointed, onPoint, onOpen, group = null }: ScatterProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const size = useSize(ref);
  const scheme = shownScheme();
  const colours = useRef<{ readonly of: string; readonly made: Colours } | null>(null);
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext("2d");
    if (!canvas || !context || size.width === 0) return;
    if (colours.current?.of !== scheme) colours.current = { of: scheme, made: coloursNow() };
    const ratio = devicePixelRatio;
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(size.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawScatter(context, { ...size, points, groups, colours: colours.current.made, pointed, group });
  }, [points, groups, pointed, group, size, scheme]);
  const hit = ({ offsetX, offsetY }: MouseEvent) => pointAt(points, size, offsetX, offsetY);
  const press = (event: KeyboardEvent) => {
    const current = points.find(({ id }) => id === pointed);
    const [right, up] = KEYS[event.key] ?? [];
    if (event.key === "Enter" && current) onOpen(current.id);
    else if (right === undefined || up === undefined) return;
    else {
      const next = current ? nextPoint(points, current, right, up) : points[0];
      if (next) onPoint(next.id);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go from point to point.
    <div class="scatter" role="application" aria-label={label} tabIndex={0} onKeyDown={press}>
      <canvas
        ref={ref}
        style={{ height: `${size.height}px` }}
        onMouseMove={(event) => {
          const point = hit(event);
          if (point && point.id !== pointed) onPoint(point.id);
        }}
        onClick={(event) => {
          const point = hit(event);
          if (point) onOpen(point.id);
        }}
      />
    </div>
  );
}

const coloursNow = (): Colours => ({
  series: Array.from({ length: SERIES_MAX }, (_, i) => colourOf(i)),
  text: cssColour("--text"),
  back: cssColour("--panel"),
});

/** As wide as there is room, not higher than wide. */
function useSize(ref: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 320 });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const sized = new ResizeObserver(() => {
      const width = element.clientWidth;
      setSize((before) =>
        before.width === width ? before : { width, height: Math.min(HEIGHT_MAX, Math.max(240, width)) },
      );
    });
    sized.observe(element);
    return () => sized.disconnect();
  }, []);
  return size;
}
