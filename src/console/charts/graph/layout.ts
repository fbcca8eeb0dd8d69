import type { Simulation, SimulationLinkDatum, SimulationNodeDatum } from "d3-force";
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";

export interface GraphNode {
  readonly id: string;
  readonly name: string;
  /** Says its colour, and stands in the legend. */
  readonly kind: string;
  /** Says its size. */
  readonly value: number;
  /** The one that the picture is about. */
  readonly isCentre?: boolean;
}

export interface GraphLink {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  /** Drawn with an arrow, and by name while one points at either end; without, drawn dashed. */
  readonly isDirected: boolean;
}

/** A node with its place, in units of the picture. */
export interface Placed extends SimulationNodeDatum {
  readonly node: GraphNode;
  readonly radius: number;
  x: number;
  y: number;
}

export interface PlacedLink extends SimulationLinkDatum<Placed> {
  readonly link: GraphLink;
  readonly source: Placed;
  readonly target: Placed;
}

export interface Layout {
  /** Those of the greatest value first. */
  readonly nodes: readonly Placed[];
  readonly links: readonly PlacedLink[];
  readonly simulation: Simulation<Placed, PlacedLink>;
}

export type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

const RADIUS_MIN = 5;
const RADIUS_MAX = 18;
const LINK_LENGTH = 70;
/** Where the same nodes are shown again they move only a little. */
const SETTLED = 0.1;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

interface LayoutOptions {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  readonly before: Places;
  /** Width of the room there is for one of height. */
  readonly aspect: number;
}

/** Sets out a graph; nodes that had a place keep it. The simulation rests until it is stepped. */
export function layoutOf({ nodes, links, before, aspect }: LayoutOptions): Layout {
  const largest = Math.max(1, ...nodes.map(({ value }) => value));
  const placed = [...nodes]
    .sort((a, b) => Number(b.isCentre ?? false) - Number(a.isCentre ?? false) || b.value - a.value)
    .map((node, i): Placed => {
      const radius = RADIUS_MIN + (RADIUS_MAX - RADIUS_MIN) * Math.sqrt(node.value / largest);
      return { node, radius, ...(before.get(node.id) ?? onSpiral(i)) };
    });
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const between = links.flatMap((link): PlacedLink[] => {
    const [source, target] = [byId.get(link.from), byId.get(link.to)];
    return source && target ? [{ link, source, target }] : [];
  });
  const pull = (by: number) => (one: Placed) => (one.node.isCentre ? 0.3 : by * 0.05);
  const simulation = forceSimulation<Placed>(placed)
    .force(
      "links",
      forceLink<Placed, PlacedLink>(between).distance(
        ({ source, target }) => LINK_LENGTH + source.radius + target.radius,
      ),
    )
    .force("apart", forceManyBody<Placed>().strength(-260))
    .force("x", forceX<Placed>(0).strength(pull(1 / aspect)))
    .force("y", forceY<Placed>(0).strength(pull(aspect)))
    .force(
      "collide",
      forceCollide<Placed>((one) => one.radius + 8),
    )
    .alpha(nodes.every(({ id }) => before.has(id)) ? SETTLED : 1)
    .stop();
  return { nodes: placed, links: between, simulation };
}

/** First places, each apart from the others; the same every time. */
function onSpiral(index: number): { x: number; y: number } {
  const distance = 30 * Math.sqrt(index);
  return { x: distance * Math.cos(index * GOLDEN_ANGLE), y: distance * Math.sin(index * GOLDEN_ANGLE) };
}
