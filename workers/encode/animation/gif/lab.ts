/** Colours in CIE L*a*b* (D65), in which distances are perceived differences (ΔE, CIE 15). */

/** Lightness 0 … 100, and the two axes of colour. */
export type Lab = readonly [lightness: number, a: number, b: number];

/** Light of each value of an sRGB channel (IEC 61966-2-1). */
const light = Float64Array.from({ length: 256 }, (_, channel) => {
  const share = channel / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Converts an RGB word with red in the lowest byte; alpha does not count. */
export function toLab(word: number): Lab {
  const red = light[word & 255] ?? 0;
  const green = light[(word >>> 8) & 255] ?? 0;
  const blue = light[(word >>> 16) & 255] ?? 0;
  const x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.950_47);
  const y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.088_83);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function curve(share: number): number {
  return share > 0.008_856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
}

/** The square of ΔE. */
export function squaredDifference([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const [l, a, b] = [l1 - l2, a1 - a2, b1 - b2];
  return l * l + a * a + b * b;
}

/** Returns the index of the nearest colour. */
export type ColorSearch = (lab: Lab) => number;

/** Searches both ways from the nearest lightness, until lightness alone differs more than the nearest colour found. */
export function createSearch(colors: readonly Lab[]): ColorSearch {
  const order = Uint8Array.from(colors.keys());
  order.sort((one, other) => (colors[one]?.[0] ?? 0) - (colors[other]?.[0] ?? 0));
  const [lightness, a, b] = ([0, 1, 2] as const).map((axis) =>
    Float64Array.from(order, (index) => colors[index]?.[axis] ?? 0),
  ) as [Float64Array, Float64Array, Float64Array];
  /** The first position with at least each whole lightness, or the last one. */
  const starts = new Uint8Array(101);
  let position = 0;
  for (let least = 0; least < starts.length; least += 1) {
    while (position < order.length - 1 && (lightness[position] ?? 0) < least) position += 1;
    starts[least] = position;
  }
  return ([l, atA, atB]) => {
    let best = 0;
    let least = Infinity;
    const start = starts[Math.min(100, Math.max(0, Math.floor(l)))] ?? 0;
    for (const step of [1, -1]) {
      for (let at = step === 1 ? start : start - 1; at >= 0 && at < order.length; at += step) {
        const lighter = ((lightness[at] ?? 0) - l) * step;
        const away = lighter * lighter;
        if (lighter > 0 && away >= least) break;
        const aAway = (a[at] ?? 0) - atA;
        const bAway = (b[at] ?? 0) - atB;
        const difference = away + aAway * aAway + bAway * bAway;
        if (difference >= least) continue;
        least = difference;
        best = at;
      }
    }
    return order[best] ?? 0;
  };
}
