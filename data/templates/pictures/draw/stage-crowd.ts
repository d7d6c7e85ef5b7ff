/** The crowd of the stage picture: rows of silhouettes with raised hands and phones. */
import { createFilm, type Film, halveFilm } from './film.ts';
import { createRandom, type Triple } from './light.ts';
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

function drawHead(
  sheet: Sheet,
  mask: Mask,
  x: number,
  y: number,
  size: number,
  random: () => number,
): void {
  const lean = (random() - 0.5) * 0.3;
  fillLine(sheet, ellipse(x, y, size * 0.43, size * 0.55, lean), mask);
  const hair = random();
  if (hair < 0.3) fillLine(sheet, ellipse(x, y - size * 0.1, size * 0.53, size * 0.56, lean), mask);
  else if (hair < 0.5) {
    // Long hair falls to the shoulders.
    fillLine(
      sheet,
      closedCurve([
        [x, y - size * 0.64],
        [x + size * 0.5, y - size * 0.2],
        [x + size * 0.52, y + size * 0.8],
        [x - size * 0.52, y + size * 0.8],
        [x - size * 0.5, y - size * 0.2],
      ]),
      mask,
    );
  } else if (hair < 0.6)
    fillLine(sheet, ellipse(x + size * 0.05, y - size * 0.66, size * 0.22, size * 0.2), mask);
  else if (hair < 0.72) {
    // A cap with its peak to one side.
    const way = random() < 0.5 ? -1 : 1;
    fillLine(sheet, ellipse(x, y - size * 0.28, size * 0.46, size * 0.34), mask);
    strokeLine(
      sheet,
      openCurve([
        [x, y - size * 0.22],
        [x + way * size * 0.68, y - size * 0.16],
      ]),
      size * 0.16,
      size * 0.08,
      mask,
    );
  }
  const wide = size * (0.98 + 0.25 * random());
  const half: readonly Spot[] = [
    [0.25, 0.3],
    [0.3, 0.56],
    [0.7, 0.74],
    [0.97, 0.98],
    [1.06, 1.6],
    [1.06, 6],
  ];
  const right = half.map(([u, v]): Spot => [x + u * wide, y + v * size]);
  const left = half.map(([u, v]): Spot => [x - u * wide, y + v * size]);
  fillLine(sheet, closedCurve([...right, ...left.toReversed()]), mask);
}

/** An open hand with spread fingers; `turn` is the way of the forearm in radians, 0 is up. */
function drawHand(
  sheet: Sheet,
  mask: Mask,
  x: number,
  y: number,
  size: number,
  turn: number,
  random: () => number,
): void {
  const at = (aside: number, along: number): Spot => [
    x + size * (aside * Math.cos(turn) + along * Math.sin(turn)),
    y + size * (aside * Math.sin(turn) - along * Math.cos(turn)),
  ];
  fillLine(
    sheet,
    closedCurve([
      at(-0.14, 0),
      at(0.14, 0),
      at(0.21, 0.26),
      at(0.19, 0.46),
      at(-0.19, 0.46),
      at(-0.21, 0.26),
    ]),
    mask,
  );
  const kind = random();
  const thumb = random() < 0.5 ? -1 : 1;
  if (kind < 0.25) {
    // A fist.
    fillLine(sheet, ellipse(...at(0, 0.26), size * 0.22, size * 0.24, turn), mask);
    return;
  }
  for (let finger = -1.5; finger <= 1.5; finger++) {
    const folded = kind < 0.5 && Math.abs(finger) < 1;
    const length = (folded ? 0.12 : 0.42) - 0.05 * Math.abs(finger) * (folded ? 0 : 1);
    const spread = finger * (0.05 + 0.06 * random());
    strokeLine(
      sheet,
      openCurve([
        at(finger * 0.1, 0.4),
        at(finger * 0.11 + spread * 0.5, 0.4 + length * 0.6),
        at(finger * 0.12 + spread, 0.42 + length),
      ]),
      size * 0.105,
      size * 0.075,
      mask,
    );
  }
  strokeLine(
    sheet,
    openCurve([at(thumb * 0.15, 0.14), at(thumb * 0.32, 0.32), at(thumb * 0.36, 0.48)]),
    size * 0.12,
    size * 0.08,
    mask,
  );
}

function drawArm(
  sheet: Sheet,
  mask: Mask,
  x: number,
  y: number,
  size: number,
  side: number,
  random: () => number,
): Spot {
  const shoulder: Spot = [x + side * size * 0.82, y + size * 1.05];
  const bend = 0.25 + 0.5 * random();
  const elbow: Spot = [
    shoulder[0] + side * size * bend,
    shoulder[1] - size * (0.7 + 0.7 * random()),
  ];
  const turn = -side * (random() * 0.55 - 0.1);
  const reach = size * (1.25 + 0.35 * random());
  const wrist: Spot = [elbow[0] + Math.sin(turn) * reach, elbow[1] - Math.cos(turn) * reach];
  strokeLine(sheet, openCurve([shoulder, elbow]), size * 0.5, size * 0.4, mask);
  strokeLine(sheet, openCurve([elbow, wrist]), size * 0.4, size * 0.27, mask);
  drawHand(sheet, mask, wrist[0], wrist[1], size * 0.95, turn, random);
  return wrist;
}

/** One row of the crowd: how much of each pixel it covers, and the glow of its phones. */
export interface CrowdRow {
  readonly cover: Film;
  readonly phones: Film;
}

/** What sets one row apart: height of its heads in pixels, size of a head, share of raised arms, seed. */
export interface RowPlan {
  readonly line: number;
  readonly size: number;
  readonly raised: number;
  readonly phones: number;
  readonly seed: number;
}

/** Draws a row of people across a picture of `width` × `height` pixels. */
export function drawCrowdRow(width: number, height: number, plan: RowPlan): CrowdRow {
  const sheet: Sheet = { film: createFilm(width * 2, height * 2), perUnit: 2 };
  const glow: Sheet = { film: createFilm(width * 2, height * 2), perUnit: 2 };
  const random = createRandom(plan.seed);
  const mask = emptyMask(sheet);
  const screens = emptyMask(sheet);
  for (
    let x = -plan.size * random();
    x < width + plan.size;
    x += plan.size * (1.35 + 0.95 * random())
  ) {
    const size = plan.size * (0.9 + 0.2 * random());
    const y = plan.line + plan.size * (random() - 0.5) * 0.7;
    drawHead(sheet, mask, x, y, size, random);
    for (const side of [-1, 1]) {
      if (random() > plan.raised) continue;
      const wrist = drawArm(sheet, mask, x, y, size, side, random);
      if (random() > plan.phones) continue;
      const [px, py] = [wrist[0], wrist[1] - size * 0.42];
      const [wide, high] = [size * 0.29, size * 0.55];
      const corners = (w: number, h: number): readonly Spot[] => [
        [px - w, py - h],
        [px + w, py - h],
        [px + w, py + h],
        [px - w, py + h],
      ];
      fillLine(sheet, corners(wide, high), mask);
      fillLine(sheet, corners(wide * 0.86, high * 0.9), screens);
    }
  }
  lay(sheet, mask, WHITE);
  lay(glow, screens, WHITE);
  return { cover: halveFilm(sheet.film), phones: halveFilm(glow.film) };
}
