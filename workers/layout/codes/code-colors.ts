/** Whether readers of codes tell the modules from their ground. */
import { toRgba } from '#wire/color.ts';
import type { Rgba } from '#wire/color.ts';
import { linearLight, luminance } from '../../contrast.ts';

/** Least difference of the light that comes back, of all that is sent: grade D of symbol contrast (ISO/IEC 15415, 15416). */
const contrastMin = 0.2;

/**
 * Why readers may find no code in these colours, and the remedy; undefined for a code that they find, and for a ground
 * that shows what is behind it. Readers of bars send red light, in which red bars are white.
 */
export function colorDoubt(
  color: string,
  background: string,
  isLinear: boolean,
): string | undefined {
  const [dark, ground] = [toRgba(color), toRgba(background)];
  if (ground[3] < 1) return undefined;
  const difference = dark[3] * (reflected(ground, isLinear) - reflected(dark, isLinear));
  if (difference <= -contrastMin) {
    return 'its modules are lighter than their ground, and many readers find no such code; choose a dark color on a light background';
  }
  if (difference >= contrastMin) return undefined;
  const light = isLinear ? 'red light of readers, in which red is white' : 'light';
  return `its modules and their ground differ by ${Math.max(0, Math.round(difference * 100))} % of the ${light}, and readers need 20 %; choose a darker color or a lighter background`;
}

/** Share of the light that a colour sends back: of red light, or of all. */
function reflected([red, green, blue]: Rgba, isRed: boolean): number {
  return isRed ? (linearLight[red] ?? 0) : luminance(red, green, blue);
}
