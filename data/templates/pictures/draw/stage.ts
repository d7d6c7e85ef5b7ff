/** The stage picture: beams of light in haze above a crowd, in purple, magenta and blue. */
import { addBloom, blurFilm, createFilm, expose, type Film } from './film.ts';
import {
  addScaled,
  clamp,
  dot,
  fractal3,
  mix,
  normalize,
  scale,
  smoothstep,
  type Triple,
} from './light.ts';
import { drawBand } from './stage-band.ts';
import { drawCrowdRow, type RowPlan } from './stage-crowd.ts';

/** The camera: a shift lens in the crowd that looks along +z; sizes in pixels and metres. */
const VIEW = { width: 1200, height: 600, focal: 860, middle: 600, horizon: 446, eye: 2.3 } as const;

/** One moving lamp: place, way of its beam, colour and the tangent of half its opening. */
interface Beam {
  readonly from: Triple;
  readonly way: Triple;
  readonly light: Triple;
  readonly opening: number;
}

function beam(from: Triple, to: Triple, light: Triple, opening: number): Beam {
  return { from, way: normalize(addScaled(to, from, -1)), light, opening };
}

/** Side of the stage, in metres, where the singer stands. */
const SINGER = 3.4;
const MAGENTA: Triple = [1, 0.1, 0.62];
const VIOLET: Triple = [0.5, 0.12, 1];
const BLUE: Triple = [0.12, 0.26, 1];
const ROSE: Triple = [1, 0.5, 0.66];

function hangBeams(): readonly Beam[] {
  const beams: Beam[] = [];
  const colours = [BLUE, VIOLET, MAGENTA, VIOLET, MAGENTA, ROSE, MAGENTA, VIOLET, BLUE];
  for (const [index, colour] of colours.entries()) {
    const x = (index - 4) * 2.9 + 0.6;
    const strength = 0.4 + 0.6 * smoothstep(0, 4, index);
    beams.push(
      beam(
        [x, 10.4, 23],
        [x * 0.35 + (index % 2 ? 5.5 : -4.5), 0, 8.5],
        scale(colour, strength),
        0.03,
      ),
    );
  }
  for (let index = 0; index < 8; index++) {
    const x = (index - 3.5) * 2.7 + 0.8;
    const colour = index % 2 ? BLUE : VIOLET;
    beams.push(
      beam([x, 1.6, 24.5], [x * 2.3 - 1, 13, 19], scale(colour, 0.5 + 0.07 * index), 0.026),
    );
  }
  beams.push(beam([-3.2, 11.5, 13], [SINGER, 1.6, 18.4], scale(ROSE, 0.55), 0.035));
  beams.push(beam([10.5, 11.5, 13], [SINGER, 1.6, 18.4], scale(ROSE, 0.6), 0.035));
  return beams;
}

const BEAMS = hangBeams();

/** Share of light that haze turns by an angle of the given cosine. */
function turned(cosine: number): number {
  const g = 0.55;
  return (1 - g * g) / (1 + g * g - 2 * g * cosine) ** 1.5;
}

function hazeAt(x: number, y: number, z: number): number {
  const smoke = 0.75 + 0.85 * fractal3(x / 3.4, y / 2.6 - z * 0.05, z / 4, 5);
  return (
    clamp(smoke, 0.12, 2) *
    mix(0.35, 1, smoothstep(5, 15, z)) *
    mix(1.15, 0.75, smoothstep(2, 10, y))
  );
}

/**
 * Light one beam sends to the eye along direction `d`: the beam is a soft tube, so its sum along the way follows
 * from the place where both lines pass closest and from the angle between them.
 */
function beamShine(one: Beam, d: Triple): number {
  const cosine = dot(one.way, d);
  const sine = Math.max(1 - cosine * cosine, 0.01);
  const toLamp: Triple = [one.from[0], one.from[1] - VIEW.eye, one.from[2]];
  const [onRay, onBeam] = [dot(toLamp, d), dot(toLamp, one.way)];
  const along = (cosine * onRay - onBeam) / sine;
  const away = onRay + along * cosine;
  if (along < -0.5 || away < 2.5) return 0;
  const wide = 0.11 + Math.max(along, 0) * one.opening;
  const [x, y, z] = [d[0] * away, VIEW.eye + d[1] * away, d[2] * away];
  const gap = addScaled(addScaled(toLamp, one.way, along), d, -away);
  const off = dot(gap, gap) / (wide * wide);
  if (off > 6) return 0;
  const ends = smoothstep(-0.05, 0.3, along) * smoothstep(2.5, 7, away) * smoothstep(-0.5, 1.5, y);
  const tube = (Math.exp(-off * 1.6) * 1.4) / Math.sqrt(Math.max(sine, 0.05));
  return tube * ends * Math.exp(-along * 0.055) * hazeAt(x, y, z) * turned(-cosine);
}

function beamLight(d: Triple): Triple {
  let sum: Triple = [0, 0, 0];
  for (const one of BEAMS) {
    const shine = beamShine(one, d);
    if (shine > 0) sum = addScaled(sum, one.light, shine * 0.42);
  }
  return sum;
}

/** The back of the stage: a dark wall, a halo of light behind the singer, glow of the haze as a whole. */
function wallLight(d: Triple): Triple {
  const z = 27;
  const [x, y] = [(d[0] / d[2]) * z, VIEW.eye + (d[1] / d[2]) * z];
  const ring = Math.abs(Math.hypot(x - SINGER * 1.42, y - 5.1) - 3.5);
  const tube = smoothstep(0.17, 0.07, ring);
  const air = Math.exp(-(((x - SINGER * 1.3) / 9) ** 2) - ((y - 4.2) / 5) ** 2);
  const low = Math.exp(-Math.abs(y - 1.5) / 1.6);
  const side = smoothstep(-16, 4, x);
  const glow = 0.32 * Math.exp(-ring * 1.1);
  return [
    0.012 + 0.16 * air + 5 * tube + glow + 0.07 * low * side,
    0.006 + 0.012 * air + 1.5 * tube + 0.12 * glow,
    0.035 + 0.26 * air + 3.6 * tube + 0.75 * glow + 0.2 * low * (0.4 + 0.6 * side),
  ];
}

/** The truss the lamps hang from: two tubes with a zigzag between, faintly lit from below. */
function trussLight(d: Triple): number {
  const z = 23;
  const [x, y] = [(d[0] / d[2]) * z, VIEW.eye + (d[1] / d[2]) * z - 10.75];
  if (y < -0.1 || y > 0.75 || Math.abs(x) > 20) return 0;
  const zigzag = Math.abs(Math.abs((((x % 0.9) + 0.9) % 0.9) - 0.45) / 0.45 - y / 0.65) * 0.45;
  const tubes = Math.max(
    smoothstep(0.09, 0.04, Math.abs(y)),
    smoothstep(0.09, 0.04, Math.abs(y - 0.65)),
  );
  const inside = y > 0 && y < 0.65 ? smoothstep(0.08, 0.04, zigzag) : 0;
  return 0.05 * Math.max(tubes, 0.6 * inside) * (0.25 + 0.75 * Math.exp(-(((x - 2) / 8) ** 2)));
}

const TRUSS: Triple = [0.75, 0.4, 1];

function drawHall(): Film {
  const film = createFilm(VIEW.width, VIEW.height);
  for (let y = 0; y < VIEW.height; y++) {
    for (let x = 0; x < VIEW.width; x++) {
      const d = normalize([
        (x + 0.5 - VIEW.middle) / VIEW.focal,
        (VIEW.horizon - y - 0.5) / VIEW.focal,
        1,
      ]);
      expose(film, x, y, addScaled(addScaled(beamLight(d), wallLight(d), 1), TRUSS, trussLight(d)));
    }
  }
  return film;
}

function rowOf(y: number, z: number): number {
  return VIEW.horizon - ((y - VIEW.eye) / z) * VIEW.focal;
}

function columnOf(x: number, z: number): number {
  return VIEW.middle + (x / z) * VIEW.focal;
}

/** Adds the glass of each lamp: a small disc, brighter the more it looks into the camera. */
function addLenses(film: Film): void {
  for (const one of BEAMS) {
    const [cx, cy] = [columnOf(one.from[0], one.from[2]), rowOf(one.from[1], one.from[2])];
    const toEye = normalize([-one.from[0], VIEW.eye - one.from[1], -one.from[2]]);
    const bright = 2 + 26 * smoothstep(0.55, 1, dot(one.way, toEye));
    for (let y = Math.floor(cy - 7); y <= cy + 7; y++) {
      for (let x = Math.floor(cx - 7); x <= cx + 7; x++) {
        if (x < 0 || y < 0 || x >= film.width || y >= film.height) continue;
        const disc = smoothstep(5.2, 3.6, Math.hypot(x + 0.5 - cx, y + 0.5 - cy));
        const at = (y * film.width + x) * 3;
        for (const c of [0, 1, 2] as const) {
          film.light[at + c] = (film.light[at + c] ?? 0) + disc * bright * (one.light[c] + 0.25);
        }
      }
    }
  }
}

/** Light that even the darkest cloth sends back, and light of a phone's screen. */
const SHADE: Triple = [0.004, 0.002, 0.008];
const PHONE: Triple = [0.5, 0.6, 0.9];

/** Lays a silhouette over the hall; its upper edges catch light, `veil` is the haze in front of it. */
function layPeople(film: Film, cover: Film, veil: number, rim: number): void {
  const around = blurFilm(film, 26).light;
  const soft = blurFilm(cover, 2);
  for (let y = 0; y < film.height; y++) {
    for (let x = 0; x < film.width; x++) {
      const at = (y * film.width + x) * 3;
      const share = cover.light[at] ?? 0;
      if (share === 0) continue;
      const above = y >= 3 ? (soft.light[at - film.width * 9] ?? 0) : 1;
      const edge = Math.max(0, 1 - above) ** 1.5 * rim;
      for (const c of [0, 1, 2] as const) {
        const lit = (around[at + c] ?? 0) * (veil + edge) + SHADE[c];
        film.light[at + c] = mix(film.light[at + c] ?? 0, lit, share);
      }
    }
  }
}

/** Rows of the crowd from far to near, each with the haze before it, its lit rim and its blur in pixels. */
const ROWS: readonly (RowPlan & {
  readonly veil: number;
  readonly rim: number;
  readonly blur: number;
})[] = [
  { line: 494, size: 15, raised: 0.16, phones: 0.1, seed: 31, veil: 0.2, rim: 1.3, blur: 0 },
  { line: 512, size: 22, raised: 0.2, phones: 0.12, seed: 32, veil: 0.1, rim: 1.2, blur: 0 },
  { line: 536, size: 33, raised: 0.24, phones: 0.08, seed: 33, veil: 0.05, rim: 0.8, blur: 0 },
  { line: 575, size: 52, raised: 0.22, phones: 0.1, seed: 35, veil: 0.02, rim: 0.5, blur: 1 },
];

/** Draws the picture as linear light; 1200 × 600 pixels. */
export function drawStage(): Film {
  const film = drawHall();
  addLenses(film);
  addBloom(film, [4, 16, 60], 0.1);
  const tall = (1.8 / 18.4) * VIEW.focal;
  const feet = rowOf(1.35, 18.4);
  const band = drawBand(
    VIEW.width,
    VIEW.height,
    [columnOf(SINGER, 18.4), feet],
    [columnOf(SINGER + 4.2, 18.4), feet],
    tall,
  );
  layPeople(film, band, 0.12, 0.5);
  for (const plan of ROWS) {
    const row = drawCrowdRow(VIEW.width, VIEW.height, plan);
    layPeople(
      film,
      plan.blur > 0 ? blurFilm(row.cover, plan.blur) : row.cover,
      plan.veil,
      plan.rim,
    );
    for (let at = 0; at < film.light.length; at++) {
      film.light[at] =
        (film.light[at] ?? 0) + (row.phones.light[at] ?? 0) * PHONE[(at % 3) as 0 | 1 | 2];
    }
  }
  addBloom(film, [3, 30], 0.05);
  return film;
}
