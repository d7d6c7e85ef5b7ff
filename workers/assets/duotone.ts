/** Maps a picture's brightness onto the way between two colours. */

import { toRgba } from '#wire/color.ts';

/** Luminance weights of sRGB (Rec. ITU-R BT.709). */
const weights = [0.2126, 0.7152, 0.0722] as const;

/**
 * Replaces each pixel's colour by the point between `dark` and `light` that its luminance gives;
 * alpha stays. `pixels` is RGBA, not premultiplied, and is changed in place. Colours are `#rgb` …
 * `#rrggbbaa`; their own alpha is not used.
 */
export function applyDuotone(pixels: Uint8ClampedArray, dark: string, light: string): void {
  const [darkRed, darkGreen, darkBlue] = toRgba(dark);
  const [lightRed, lightGreen, lightBlue] = toRgba(light);
  for (let index = 0; index < pixels.length; index += 4) {
    const luminance =
      ((pixels[index] ?? 0) * weights[0] +
        (pixels[index + 1] ?? 0) * weights[1] +
        (pixels[index + 2] ?? 0) * weights[2]) /
      255;
    pixels[index] = darkRed + (lightRed - darkRed) * luminance;
    pixels[index + 1] = darkGreen + (lightGreen - darkGreen) * luminance;
    pixels[index + 2] = darkBlue + (lightBlue - darkBlue) * luminance;
  }
}
