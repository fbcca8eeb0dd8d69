/** Colours in which series are told apart; more take them in turn. */
export const SERIES_MAX = 8;

/** A custom property as a colour that a canvas knows, in the present scheme. */
export function cssColour(property: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const propertyOf = (index: number): string => `--series-${(index % SERIES_MAX) + 1}`;
/** The colour of a series by its number, for a canvas. */
export const colourOf = (index: number): string => cssColour(propertyOf(index));
/** The same for a style. */
export const swatchOf = (index: number): string => `var(${propertyOf(index)})`;
/** Whether a series is shown round: each turn through the colours has a shape of its own. */
export const isRound = (index: number): boolean => Math.floor(index / SERIES_MAX) % 2 === 0;
