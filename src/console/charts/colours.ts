/** Colours in which series are told apart; more take them in turn. */
const SERIES_MAX = 8;

/** A custom property as a colour that a canvas knows, in the present scheme. */
export function cssColour(property: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The colour of a series by its number. */
export const colourOf = (index: number): string => cssColour(`--series-${(index % SERIES_MAX) + 1}`);
