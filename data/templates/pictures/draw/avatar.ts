/** The avatar picture: a flat portrait of a smiling author with glasses and curls. */
import { createFilm, type Film, halveFilm } from './film.ts';
import { blend, createRandom, fromHex, smoothstep, type Triple } from './light.ts';
import {
  both,
  closedCurve,
  ellipse,
  emptyMask,
  fillLine,
  lay,
  type Mask,
  openCurve,
  spots,
  type Sheet,
  type Spot,
  strokeLine,
  without,
} from './shapes.ts';

/** The palette, linear. */
const INK = {
  wall: fromHex(0xf2a488),
  wallLow: fromHex(0xe8846f),
  sun: fromHex(0xf9c9a8),
  leaf: fromHex(0x2f6b66),
  leafLight: fromHex(0x4c8a7c),
  vein: fromHex(0x7fb09b),
  hair: fromHex(0x2a1c38),
  hairLight: fromHex(0x4a3460),
  skin: fromHex(0xc57f57),
  skinLight: fromHex(0xd6946a),
  skinShade: fromHex(0xa0603f),
  blush: fromHex(0xd9664f),
  lip: fromHex(0x9b3b3c),
  teeth: fromHex(0xfff4ea),
  gold: fromHex(0xf3b640),
  goldShade: fromHex(0xc98a2b),
  knit: fromHex(0x1f4f63),
  knitLight: fromHex(0x2c6a80),
  knitShade: fromHex(0x163a4c),
  cream: fromHex(0xf6e6cf),
} as const;

const FACE = spots(
  '200,96 236,104 256,136 257,176 246,216 224,244 200,252 176,244 154,216 143,176 144,136 164,104',
);

function drawLine(
  sheet: Sheet,
  line: readonly Spot[],
  start: number,
  end: number,
  colour: Triple,
): void {
  lay(sheet, strokeLine(sheet, openCurve(line), start, end), colour);
}

function drawWall(sheet: Sheet): void {
  const all = emptyMask(sheet).fill(1);
  lay(sheet, all, (_, y) => blend(INK.wall, INK.wallLow, smoothstep(40, 420, y)));
  lay(
    sheet,
    fillLine(sheet, ellipse(214, 166, 158, 158)),
    INK.sun,
    (x, y) => 0.95 - 0.35 * smoothstep(120, 330, y + x * 0.2),
  );
  drawLeaf(sheet, [58, 420], [40, 214], 34, INK.leaf);
  drawLeaf(sheet, [34, 420], [-6, 262], 30, INK.leafLight);
  drawLeaf(sheet, [84, 430], [100, 268], 26, INK.leafLight);
  drawLeaf(sheet, [346, 430], [372, 196], 34, INK.leaf);
  drawLeaf(sheet, [372, 430], [418, 262], 30, INK.leafLight);
}

function drawLeaf(sheet: Sheet, from: Spot, to: Spot, wide: number, colour: Triple): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const at = (along: number, aside: number): Spot => [
    from[0] + dx * along - (dy / length) * aside * wide,
    from[1] + dy * along + (dx / length) * aside * wide,
  ];
  const edge = (side: number): readonly Spot[] => [
    at(0, 0),
    at(0, 0),
    at(0.3, 0.8 * side),
    at(0.62, 0.86 * side),
    at(0.86, 0.42 * side),
    at(1, 0),
    at(1, 0),
  ];
  const half = fillLine(sheet, closedCurve(edge(1)));
  const leaf = fillLine(sheet, closedCurve(edge(-1)), half.slice());
  lay(sheet, leaf, colour);
  lay(sheet, both(leaf, half), INK.hair, 0.13);
  const veins = strokeLine(sheet, openCurve([at(0.05, 0), at(0.94, 0)]), 2.4, 0.8);
  for (const along of [0.25, 0.4, 0.55, 0.7]) {
    for (const side of [-1, 1]) {
      const vein = [at(along, 0), at(along + 0.09, 0.3 * side), at(along + 0.15, 0.62 * side)];
      strokeLine(sheet, openCurve(vein), 1.6, 0.6, veins);
    }
  }
  lay(sheet, both(leaf, veins), INK.vein, 0.55);
}

/** Curls as overlapping rounds along a path of centres. */
function curls(sheet: Sheet, centres: readonly Spot[], size: number, seed: number): Mask {
  const random = createRandom(seed);
  const mask = emptyMask(sheet);
  for (const [x, y] of centres) {
    const round = size * (0.85 + 0.3 * random());
    fillLine(sheet, ellipse(x + 4 * random() - 2, y + 4 * random() - 2, round, round), mask);
  }
  return mask;
}

function arc(
  x: number,
  y: number,
  wide: number,
  high: number,
  from: number,
  to: number,
  count: number,
): readonly Spot[] {
  return Array.from({ length: count }, (_, k): Spot => {
    const angle = from + ((to - from) * k) / (count - 1);
    return [x + wide * Math.cos(angle), y + high * Math.sin(angle)];
  });
}

/** Short arcs, one on each centre: they make the rounds read as curls. */
function strandsOn(sheet: Sheet, centres: readonly Spot[], size: number, seed: number): Mask {
  const random = createRandom(seed);
  const mask = emptyMask(sheet);
  for (const [x, y] of centres) {
    const turn = random() * 6;
    strokeLine(sheet, openCurve(arc(x, y, size, size, turn, turn + 2.4, 7)), 2.8, 1.1, mask);
  }
  return mask;
}

function drawHairBehind(sheet: Sheet): void {
  const mask = curls(sheet, arc(200, 152, 84, 80, Math.PI * 0.78, Math.PI * 2.22, 17), 30, 3);
  fillLine(sheet, ellipse(200, 156, 92, 88), mask);
  lay(sheet, mask, INK.hair);
  const outer = arc(200, 150, 88, 84, Math.PI * 0.86, Math.PI * 2.14, 12);
  const inner = arc(200, 146, 62, 62, Math.PI * 1.12, Math.PI * 1.9, 6);
  const strands = strandsOn(sheet, [...outer, ...inner], 15, 8);
  lay(sheet, both(mask, strands), INK.hairLight);
}

function drawBody(sheet: Sheet): void {
  const neck = fillLine(
    sheet,
    closedCurve(spots('174,214! 175,262 166,300 200,322 234,300 225,262 226,214!')),
  );
  lay(sheet, neck, INK.skin);
  const chin = fillLine(sheet, closedCurve(FACE.map(([x, y]): Spot => [x + 7, y + 19])));
  lay(sheet, both(neck, chin), INK.skinShade);
  const knit = fillLine(
    sheet,
    closedCurve(
      spots(
        '36,420! 48,362 78,322 134,300 168,284! 200,298 232,284! 266,300 322,322 352,362 364,420!',
      ),
    ),
  );
  lay(sheet, knit, INK.knit);
  const shade = fillLine(
    sheet,
    closedCurve(spots('252,290! 300,330 306,376 300,420! 380,420! 380,320 300,290')),
  );
  lay(sheet, both(knit, shade), INK.knitShade, 0.75);
  const stripes = emptyMask(sheet);
  for (const [y, wide] of [
    [346, 7],
    [362, 3.4],
  ] as const) {
    strokeLine(sheet, openCurve(spots('20,34 90,8 200,2 310,8 380,34', 0, y)), wide, wide, stripes);
  }
  lay(sheet, both(knit, stripes), INK.cream);
  const dots = emptyMask(sheet);
  for (let k = -9; k <= 9; k++) {
    const y = 387 + 0.0011 * (k * 17) ** 2;
    fillLine(sheet, spots('0,-8 6,0 0,8 -6,0', 200 + k * 17, y), dots);
  }
  lay(sheet, both(knit, dots), INK.gold);
  const collar = fillLine(
    sheet,
    closedCurve(spots('160,284! 166,270! 200,284 234,270! 240,284! 234,306 200,318 166,306')),
  );
  lay(sheet, collar, INK.knitLight);
  const ribs = emptyMask(sheet);
  for (let k = -5; k <= 5; k++) {
    const top: Spot = [200 + k * 7, 282 - k * k * 0.5];
    strokeLine(sheet, [top, [200 + k * 7.4, 322 - k * k * 0.7]], 1.8, 1.8, ribs);
  }
  lay(sheet, both(collar, ribs), INK.knit, 0.8);
}

function drawFace(sheet: Sheet): void {
  const ears = fillLine(sheet, ellipse(142, 182, 13, 18, -0.15));
  fillLine(sheet, ellipse(258, 182, 13, 18, 0.15), ears);
  lay(sheet, ears, INK.skin);
  lay(sheet, both(ears, fillLine(sheet, ellipse(260, 184, 7, 11, 0.15))), INK.skinShade, 0.8);
  lay(sheet, both(ears, fillLine(sheet, ellipse(140, 184, 7, 11, -0.15))), INK.skinShade, 0.8);
  const face = fillLine(sheet, closedCurve(FACE));
  lay(sheet, face, (x, y) =>
    blend(INK.skinLight, INK.skin, smoothstep(150, 250, x + (y - 170) * 0.15)),
  );
  const lit = fillLine(sheet, closedCurve(FACE.map(([x, y]): Spot => [x - 15, y - 7])));
  lay(sheet, without(face, lit), INK.skinShade, 0.55);
  const cheeks = fillLine(sheet, ellipse(163, 211, 12, 7.5, 0.2));
  fillLine(sheet, ellipse(237, 211, 12, 7.5, -0.2), cheeks);
  lay(sheet, both(face, cheeks), INK.blush, 0.5);
  drawLine(sheet, spots('201,178 197,192 193,203 199,208 206,207'), 3, 3.6, INK.skinShade);
  const mouth = fillLine(
    sheet,
    closedCurve(
      spots('179,221! 189,223.4 200,224.2 211,223.4 221,221! 213,231.5 200,236 187,231.5'),
    ),
  );
  lay(sheet, mouth, INK.teeth);
  drawLine(sheet, spots('176,219.6 188,223 200,224 212,223 224,219.6'), 3, 3, INK.lip);
  drawLine(sheet, spots('179,221 187,231.5 200,236 213,231.5 221,221'), 2.6, 2.6, INK.lip);
}

function drawLook(sheet: Sheet): void {
  for (const [x, side] of [
    [173, -1],
    [227, 1],
  ] as const) {
    lay(sheet, fillLine(sheet, ellipse(x, 176, 26, 25)), INK.cream, 0.16);
    lay(sheet, fillLine(sheet, ellipse(x + 1, 178, 6.6, 8.2)), INK.hair);
    lay(sheet, fillLine(sheet, ellipse(x + 3.2, 174.6, 2.1, 2.4)), INK.teeth);
    drawLine(sheet, spots('-11,172 -5,168 2,166.6 8,168.4 12,172', x), 3.2, 3.2, INK.hair);
    drawLine(sheet, spots('-13,141 2,137.5 17,144.5', x, 0, side), 4.6, 2.6, INK.hair);
    const rim = strokeLine(sheet, [...ellipse(x, 176, 26, 25), [x + 26, 176]], 4, 4);
    lay(sheet, rim, (_, y) => blend(INK.gold, INK.goldShade, smoothstep(160, 204, y)));
  }
  drawLine(sheet, spots('198,173 200,171.5 202,173'), 4, 4, INK.gold);
  drawLine(sheet, spots('147,172 138,170'), 4, 3.4, INK.gold);
  drawLine(sheet, spots('253,172 262,170'), 4, 3.4, INK.goldShade);
  for (const x of [137, 263]) {
    lay(sheet, strokeLine(sheet, [...ellipse(x, 214, 9, 13), [x + 9, 214]], 4.2, 4.2), (_, y) =>
      blend(INK.gold, INK.goldShade, smoothstep(206, 228, y)),
    );
  }
}

function drawFringe(sheet: Sheet): void {
  const fringe = curls(
    sheet,
    spots('142,148 148,126 162,108 181,99 201,96 222,100 240,110 252,127 258,148'),
    18,
    21,
  );
  fillLine(sheet, ellipse(200, 92, 52, 20), fringe);
  lay(sheet, fringe, INK.hair);
  const strands = strandsOn(sheet, spots('150,128 166,110 186,102 208,99 228,106 246,122'), 9, 14);
  lay(sheet, both(fringe, strands), INK.hairLight);
}

/** Draws the portrait as linear light; 400 × 400 pixels. */
export function drawAvatar(): Film {
  const sheet: Sheet = { film: createFilm(1600, 1600), perUnit: 4 };
  drawWall(sheet);
  drawHairBehind(sheet);
  drawBody(sheet);
  drawFace(sheet);
  drawFringe(sheet);
  drawLook(sheet);
  return halveFilm(halveFilm(sheet.film));
}
