/** The band of the stage picture: silhouettes of a singer and a guitarist. */
import { createFilm, type Film, halveFilm } from './film.ts';
import type { Triple } from './light.ts';
import {
  closedCurve,
  ellipse,
  emptyMask,
  fillLine,
  lay,
  type Mask,
  openCurve,
  type Sheet,
  type Spot,
  strokeLine,
} from './shapes.ts';

const WHITE: Triple = [1, 1, 1];

/** Draws a singer and a guitarist; a spot is where the feet stand, `tall` a body in pixels. */
export function drawBand(
  width: number,
  height: number,
  singer: Spot,
  guitarist: Spot,
  tall: number,
): Film {
  const sheet: Sheet = { film: createFilm(width * 2, height * 2), perUnit: 2 };
  const mask = emptyMask(sheet);
  const body =
    (feet: Spot, lean: number) =>
    (x: number, y: number): Spot => [feet[0] + (x + lean * y * y) * tall, feet[1] - y * tall];
  drawSinger(sheet, mask, body(singer, 0.03), tall);
  drawGuitarist(sheet, mask, body(guitarist, -0.05), tall);
  lay(sheet, mask, WHITE);
  return halveFilm(sheet.film);
}

type Place = (x: number, y: number) => Spot;

function limb(sheet: Sheet, mask: Mask, spots: readonly Spot[], start: number, end: number): void {
  strokeLine(sheet, openCurve(spots), start, end, mask);
}

function drawSinger(sheet: Sheet, mask: Mask, at: Place, tall: number): void {
  limb(sheet, mask, [at(-0.03, 0.5), at(-0.075, 0.26), at(-0.11, 0.02)], tall * 0.095, tall * 0.05);
  limb(sheet, mask, [at(0.04, 0.5), at(0.07, 0.27), at(0.15, 0.02)], tall * 0.095, tall * 0.05);
  limb(sheet, mask, [at(-0.11, 0.015), at(-0.16, 0.012)], tall * 0.04, tall * 0.03);
  limb(sheet, mask, [at(0.15, 0.015), at(0.2, 0.012)], tall * 0.04, tall * 0.03);
  // A jacket that opens below the hips.
  fillLine(
    sheet,
    closedCurve([
      at(-0.105, 0.79),
      at(-0.05, 0.835),
      at(0.06, 0.835),
      at(0.115, 0.79),
      at(0.09, 0.6),
      at(0.13, 0.4),
      at(0.06, 0.43),
      at(-0.07, 0.42),
      at(-0.13, 0.39),
      at(-0.085, 0.6),
    ]),
    mask,
  );
  limb(sheet, mask, [at(0, 0.82), at(0.005, 0.88)], tall * 0.055, tall * 0.05);
  fillLine(sheet, ellipse(...at(0.008, 0.93), tall * 0.052, tall * 0.066, 0.15), mask);
  fillLine(sheet, ellipse(...at(-0.012, 0.945), tall * 0.064, tall * 0.062), mask);
  limb(sheet, mask, [at(0.1, 0.785), at(0.15, 0.95)], tall * 0.062, tall * 0.05);
  limb(sheet, mask, [at(0.15, 0.95), at(0.215, 1.13)], tall * 0.048, tall * 0.032);
  fillLine(sheet, ellipse(...at(0.222, 1.15), tall * 0.024, tall * 0.03), mask);
  limb(sheet, mask, [at(-0.1, 0.78), at(-0.155, 0.66)], tall * 0.06, tall * 0.05);
  limb(sheet, mask, [at(-0.155, 0.66), at(-0.05, 0.8)], tall * 0.046, tall * 0.034);
  limb(sheet, mask, [at(-0.062, 0.8), at(-0.042, 0.872)], tall * 0.02, tall * 0.03);
}

function drawGuitarist(sheet: Sheet, mask: Mask, at: Place, tall: number): void {
  limb(sheet, mask, [at(-0.04, 0.5), at(-0.1, 0.26), at(-0.16, 0.02)], tall * 0.1, tall * 0.05);
  limb(sheet, mask, [at(0.04, 0.5), at(0.1, 0.27), at(0.13, 0.02)], tall * 0.1, tall * 0.05);
  limb(sheet, mask, [at(-0.16, 0.014), at(-0.215, 0.012)], tall * 0.04, tall * 0.03);
  limb(sheet, mask, [at(0.13, 0.014), at(0.18, 0.012)], tall * 0.04, tall * 0.03);
  fillLine(
    sheet,
    closedCurve([
      at(-0.11, 0.79),
      at(-0.05, 0.835),
      at(0.05, 0.835),
      at(0.11, 0.79),
      at(0.085, 0.6),
      at(0.095, 0.46),
      at(-0.095, 0.46),
      at(-0.085, 0.6),
    ]),
    mask,
  );
  fillLine(sheet, ellipse(...at(-0.035, 0.92), tall * 0.055, tall * 0.068, -0.3), mask);
  fillLine(
    sheet,
    closedCurve([
      at(-0.04, 0.995),
      at(0.035, 0.95),
      at(0.045, 0.84),
      at(0, 0.8),
      at(-0.06, 0.82),
      at(-0.09, 0.9),
    ]),
    mask,
  );
  const pitch = 0.35;
  fillLine(sheet, ellipse(...at(0.06, 0.53), tall * 0.105, tall * 0.075, pitch), mask);
  fillLine(sheet, ellipse(...at(-0.03, 0.57), tall * 0.08, tall * 0.06, pitch), mask);
  limb(sheet, mask, [at(0.02, 0.555), at(-0.36, 0.7)], tall * 0.022, tall * 0.018);
  limb(sheet, mask, [at(-0.36, 0.7), at(-0.42, 0.725)], tall * 0.034, tall * 0.026);
  limb(sheet, mask, [at(-0.1, 0.78), at(-0.2, 0.64)], tall * 0.06, tall * 0.05);
  limb(sheet, mask, [at(-0.2, 0.64), at(-0.24, 0.67)], tall * 0.05, tall * 0.036);
  limb(sheet, mask, [at(0.105, 0.78), at(0.17, 0.63)], tall * 0.06, tall * 0.05);
  limb(sheet, mask, [at(0.17, 0.63), at(0.06, 0.56)], tall * 0.046, tall * 0.034);
}
