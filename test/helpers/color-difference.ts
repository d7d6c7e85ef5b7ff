/** The colour difference of two images as people see it: ΔE*ab of 1976 (CIE 15). */

type Lab = readonly [l: number, a: number, b: number];

/** The mean over all pixels of two images of RGBA bytes. */
export function meanDifference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 4) {
    const [l, a, b] = toLab(one[at] ?? 0, one[at + 1] ?? 0, one[at + 2] ?? 0);
    const [l2, a2, b2] = toLab(other[at] ?? 0, other[at + 1] ?? 0, other[at + 2] ?? 0);
    sum += Math.hypot(l - l2, a - a2, b - b2);
  }
  return sum / (one.length / 4);
}

/** sRGB to CIE L*a*b* with the white of D65. */
function toLab(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function curve(share: number): number {
  return share > 0.008_856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
}
