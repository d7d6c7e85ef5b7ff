/** How light travels in the mug's studio: lamps sampled directly, paper and clay by random paths. */
import {
  addScaled,
  cross,
  dot,
  multiply,
  normalize,
  reflect,
  scale,
  smoothstep,
  type Triple,
} from './light.ts';
import {
  type Colourway,
  isOpen,
  LAMPS,
  lampLight,
  meetSurface,
  roomLight,
  type Surface,
} from './mug-scene.ts';

/** Surfaces a path may meet. */
const BOUNCES_MAX = 4;
const BLACK: Triple = [0, 0, 0];
/** Most light one random path may add: rare brighter ones would stand as dots. */
const PATH_LIGHT_MAX = 1.6;

function limit(light: Triple): Triple {
  const most = Math.max(light[0], light[1], light[2]);
  return most > PATH_LIGHT_MAX ? scale(light, PATH_LIGHT_MAX / most) : light;
}

function aroundNormal(normal: Triple, u: number, v: number): Triple {
  // A point on the unit sphere around the normal's tip gives a cosine-weighted direction.
  const z = 1 - 2 * u;
  const r = Math.sqrt(Math.max(0, 1 - z * z));
  const turn = 2 * Math.PI * v;
  return normalize([
    normal[0] + r * Math.cos(turn),
    normal[1] + r * Math.sin(turn),
    normal[2] + z * 1.0001,
  ]);
}

function lampsOn(surface: Surface, random: () => number): Triple {
  let sum = BLACK;
  for (const lamp of LAMPS) {
    const [u, v] = [2 * random() - 1, 2 * random() - 1];
    const at = addScaled(addScaled(lamp.middle, lamp.right, u), lamp.up, v);
    const to = addScaled(at, surface.point, -1);
    const away = Math.sqrt(dot(to, to));
    const d = scale(to, 1 / away);
    const facing = dot(d, surface.normal);
    const sent = -dot(d, lamp.front);
    if (facing <= 0 || sent <= 0) continue;
    if (!isOpen(addScaled(surface.point, surface.normal, 0.02), d, away)) continue;
    const fade =
      (1.1 - 0.35 * (u * u + v * v)) * smoothstep(1, 0.86, Math.max(Math.abs(u), Math.abs(v)));
    sum = addScaled(sum, lamp.light, (fade * facing * sent * lamp.area) / (away * away * Math.PI));
  }
  return sum;
}

/** Light that falls on a surface and leaves it evenly, before its colour filters it. */
export function fallingLight(
  surface: Surface,
  colours: Colourway,
  bounce: number,
  random: () => number,
): Triple {
  const direct = lampsOn(surface, random);
  if (bounce >= BOUNCES_MAX) return direct;
  const d = aroundNormal(surface.normal, random(), random());
  const from = addScaled(surface.point, surface.normal, 0.02);
  const next = meetSurface(from, d, colours);
  const arriving = next
    ? multiply(next.albedo, fallingLight(next, colours, bounce + 1, random))
    : roomLight(d);
  return addScaled(direct, limit(arriving), 1);
}

/** Light mirrored by the coat of a surface towards the eye. */
export function mirroredLight(
  surface: Surface,
  d: Triple,
  colours: Colourway,
  random: () => number,
): Triple {
  if (surface.gloss === 0) return BLACK;
  const spread = surface.rough * surface.rough;
  const u = random();
  const tilt = Math.sqrt((spread * spread * u) / (1 - u + spread * spread * u));
  const turn = 2 * Math.PI * random();
  const side = normalize(
    cross(surface.normal, Math.abs(surface.normal[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0]),
  );
  const other = cross(surface.normal, side);
  const half = addScaled(
    addScaled(scale(surface.normal, Math.sqrt(1 - tilt * tilt)), side, tilt * Math.cos(turn)),
    other,
    tilt * Math.sin(turn),
  );
  const out = reflect(d, half);
  if (dot(out, surface.normal) <= 0) return BLACK;
  const share = surface.gloss + (1 - surface.gloss) * (1 - Math.abs(dot(d, half))) ** 5;
  const from = addScaled(surface.point, surface.normal, 0.02);
  const next = meetSurface(from, out, colours);
  const lamp = lampLight(from, out, next?.away ?? 1e9);
  if (lamp[0] > 0) return scale(lamp, share);
  const seen = next
    ? multiply(next.albedo, limit(fallingLight(next, colours, 2, random)))
    : roomLight(out);
  return scale(seen, share);
}
