/** A unit of measure: what it measures, and how much of the base unit one of it is. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
  /** Added after the factor; only temperatures have one. */
  readonly offset?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Mean lengths of the Gregorian calendar. */
const MONTH = 30.436875 * DAY;
const YEAR = 365.2425 * DAY;

const TABLE: Record<string, Record<string, number>> = {
  s: {
    "ms msec msecs millisecond milliseconds": 0.001,
    "s sec secs second seconds": 1,
    "min mins minute minutes": MINUTE,
    "h hr hrs hour hours": HOUR,
    "d day days": DAY,
    "night nights": DAY,
    "week weeks wk wks": 7 * DAY,
    "fortnight fortnights": 14 * DAY,
    "month months": MONTH,
    "quarter quarters": 3 * MONTH,
    "year years yr yrs": YEAR,
    "decade decades": 10 * YEAR,
  },
  byte: {
    "bytes byte": 1,
    "kb kilobyte kilobytes": 1e3,
    kib: 1024,
    "mb megabyte megabytes": 1e6,
    mib: 1024 ** 2,
    "gb gigabyte gigabytes gigs gig": 1e9,
    gib: 1024 ** 3,
    "tb terabyte terabytes": 1e12,
    tib: 1024 ** 4,
    "pb petabyte petabytes": 1e15,
  },
  bps: { "kbps kbit": 1e3, "mbps mbit": 1e6, "gbps gbit": 1e9 },
  m: {
    "mm millimetre millimetres millimeter millimeters": 0.001,
    "cm centimetre centimetres centimeter centimeters": 0.01,
    "m metre metres meter meters": 1,
    "km kilometre kilometres kilometer kilometers kms": 1000,
    "inch inches": 0.0254,
    "ft foot feet": 0.3048,
    "yard yards": 0.9144,
    "mile miles mi": 1609.344,
  },
  g: {
    "mg milligram milligrams": 0.001,
    "g gram grams gramme grammes": 1,
    "kg kilo kilos kilogram kilograms": 1000,
    "t ton tons tonne tonnes": 1e6,
    "oz ounce ounces": 28.349523125,
    "lb lbs": 453.59237,
  },
  l: {
    "ml millilitre millilitres milliliter milliliters": 0.001,
    "cl centilitre centilitres": 0.01,
    "dl decilitre decilitres": 0.1,
    "l litre litres liter liters": 1,
    "gallon gallons": 3.785411784,
  },
  m2: { "sqm m²": 1, sqft: 0.09290304, "hectare hectares ha": 1e4, "acre acres": 4046.8564224 },
  kmh: { "kmh kph": 1, mph: 1.609344 },
  w: { "w watt watts": 1, "kw kilowatt kilowatts": 1e3, "mw megawatt megawatts": 1e6 },
  kwh: { kwh: 1 },
  v: { "volt volts": 1 },
  hz: { "hz hertz": 1, khz: 1e3, mhz: 1e6, ghz: 1e9 },
  "%": { "% percent pct": 1 },
  px: { "px pixel pixels": 1 },
  kcal: { "kcal calories calorie": 1 },
  bpm: { bpm: 1 },
  rpm: { rpm: 1 },
};

/** Base sizes of bytes are meant both in powers of 1000 and of 1024, so that equal sizes differ by up to a tenth. */
export const LOOSE_DIMENSIONS: ReadonlySet<string> = new Set(["byte"]);

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(TABLE).flatMap(([dimension, units]) =>
    Object.entries(units).flatMap(([names, factor]) =>
      names.split(" ").map((name): readonly [string, Unit] => [name, { dimension, factor }]),
    ),
  ),
);

const CELSIUS: Unit = { dimension: "deg", factor: 1 };
const FAHRENHEIT: Unit = { dimension: "deg", factor: 5 / 9, offset: (-32 * 5) / 9 };
const TEMPERATURES: ReadonlyMap<string, Unit> = new Map([
  ["c", CELSIUS],
  ["celsius", CELSIUS],
  ["centigrade", CELSIUS],
  ["f", FAHRENHEIT],
  ["fahrenheit", FAHRENHEIT],
]);

const AREAS: ReadonlyMap<string, number> = new Map([
  ["metres", 1],
  ["meters", 1],
  ["metre", 1],
  ["meter", 1],
  ["kilometres", 1e6],
  ["kilometers", 1e6],
  ["miles", 2589988.110336],
  ["feet", 0.09290304],
  ["foot", 0.09290304],
]);

/** The unit of area that a word behind "square" names. */
export function areaOf(name: string): Unit | undefined {
  const factor = AREAS.get(name);
  return factor === undefined ? undefined : { dimension: "m2", factor };
}

/** The unit of a name in lower case; undefined for any other word. */
export const unitOf = (name: string): Unit | undefined => UNITS.get(name);

/** The scale of temperature that a word names. */
export const temperatureOf = (name: string): Unit | undefined => TEMPERATURES.get(name);

/** Degrees of no named scale. */
export const DEGREES = CELSIUS;

/** An amount of a unit in the base unit. */
export const inBase = (amount: number, unit: Unit): number => amount * unit.factor + (unit.offset ?? 0);
