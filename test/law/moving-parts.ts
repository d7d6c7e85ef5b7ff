/** Generates what makes a document move: animations, clocks, layers that show in some frames, and attacks of frames. */
import * as fc from 'fast-check';
import { easings, trackProperties } from '#language/schema/animation.ts';
import { extreme, optional, present } from './parts.ts';
import type { Values } from './parts.ts';

/** A variable that frames of values change. */
export const stepVariable = { name: 'step', type: 'text', value: 'first' };
const steps = ['first', 'second', 'third'];

/** What moves in a document, before the ids of its layers are known. */
export interface Motion {
  /** The animation of a document with these layers. */
  animationOf: (ids: readonly string[]) => Values;
  clock: Values | undefined;
  /** By layer of the canvas, in turn: the step in which it shows; undefined in all. */
  shownIn: readonly (string | undefined)[];
  /** As a link asks for them. */
  frames: number | undefined;
}

const countdown = extreme(1, 120).map((frames) => ({
  animationOf: () => ({ type: 'countdown', frames: Math.ceil(frames) }),
  clock: { until: '2030-01-01' },
}));

const valueFrames = fc
  .tuple(
    extreme(1, 120),
    fc.constantFrom(['step'], ['step', 'color'], ['step', 'number', 'text'], ['fraction', 'photo']),
  )
  .map(([count, names]) => {
    const values: Record<string, (index: number) => string> = {
      step: (index) => steps[index % steps.length] ?? '',
      color: (index) => (index % 2 === 0 ? '#f00' : '#00f8'),
      number: (index) => String((index * 7) % 400),
      text: (index) => `${index} `.repeat(50),
      fraction: (index) => String((index % 10) / 10),
      photo: (index) => (index % 2 === 0 ? 'noise' : 'alpha'),
    };
    const frames = Array.from({ length: Math.ceil(count) }, (_, index) => ({
      seconds: 0.1,
      values: Object.fromEntries(names.map((name) => [name, values[name]?.(index) ?? ''])),
    }));
    return { animationOf: () => ({ type: 'values', frames }), clock: undefined };
  });

/** Tracks that any layer may have; those of text and fills alone are refused for others. */
const track = fc.record({
  layer: fc.nat(),
  property: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('x', 'y', 'opacity', 'rotation', 'scale') },
    { weight: 1, arbitrary: fc.constantFrom(...trackProperties) },
  ),
  to: extreme(-400, 400),
  easing: optional(fc.constantFrom(...easings)),
});

/** A number, or what the property has in its place. */
function valueOf(property: string, number: number): number | string {
  if (property === 'fill') return '#00f';
  if (property === 'opacity' || property === 'typed') return Math.abs(number) / 400;
  return property === 'scale' ? Math.abs(number) / 50 : number;
}

const motion = fc
  .tuple(fc.array(track, { minLength: 1, maxLength: 4 }), extreme(1, 120))
  .map(([tracks, frames]) => ({
    animationOf: (ids: readonly string[]) => ({
      type: 'motion',
      seconds: Math.ceil(frames) / 10,
      tracks: tracks.map(({ layer, property, to, easing }) =>
        present({
          layer: ids[layer % Math.max(1, ids.length)] ?? 'none',
          property,
          to: valueOf(property, to),
          easing,
        }),
      ),
    }),
    clock: undefined,
  }));

export const motions: fc.Arbitrary<Motion> = fc
  .tuple(
    fc.oneof(
      { weight: 1, arbitrary: countdown },
      { weight: 2, arbitrary: fc.oneof(valueFrames, motion) },
    ),
    fc.array(optional(fc.constantFrom(...steps)), { minLength: 1, maxLength: 4 }),
    optional(fc.integer({ min: 2, max: 120 }), 1),
  )
  .map(([moving, shownIn, frames]) => ({ ...moving, shownIn, frames }));

/** A document that took a service down by its frames, each cheap as a still of its first frame. */
export interface MovingAttack {
  canvasSize: { width: number; height: number };
  layers: Values[];
  moving: Motion;
}

const side = 1150;
const square = { x: 0, y: 0, width: side, height: side };
const dot = { x: 0, y: 0, width: 4, height: 4, type: 'rect', fill: '#f00' };

function movingX(layers: readonly number[], frames: number, to: number): Motion {
  const animationOf = (ids: readonly string[]): Values => ({
    type: 'motion',
    seconds: frames / 10,
    tracks: layers.map((index) => ({ layer: ids[index] ?? 'none', property: 'x', to })),
  });
  return { animationOf, clock: undefined, shownIn: [undefined], frames: undefined };
}

/** Groups within groups, of which all but the first frame show the whole. */
function laterGroups(depth: number, opacity: number): MovingAttack {
  let layers: Values[] = [{ ...square, type: 'rect', fill: '#36c' }];
  for (let level = 0; level < depth; level += 1) {
    layers = [{ ...square, type: 'group', opacity, layers }];
  }
  const frames = steps.map((step) => ({ seconds: 0.1, values: { step } }));
  const animationOf = (): Values => ({ type: 'values', frames });
  const moving = { animationOf, clock: undefined, shownIn: ['second'], frames: undefined };
  return { canvasSize: { width: side, height: side }, layers, moving };
}

export const movingAttacks: fc.Arbitrary<MovingAttack> = fc.oneof(
  // A photograph that is slow to encode below a dot that moves.
  fc
    .tuple(fc.constantFrom('noise', 'alpha', 'damaged'), fc.integer({ min: 2, max: 30 }))
    .map(([src, frames]) => ({
      canvasSize: { width: side, height: side },
      layers: [{ ...square, type: 'image', src, fit: 'cover' }, dot],
      moving: movingX([1], frames, 30),
    })),
  // The photograph itself moves.
  fc.tuple(fc.constantFrom('noise', 'alpha'), extreme(2, 60)).map(([src, frames]) => ({
    canvasSize: { width: 600, height: 600 },
    layers: [{ ...square, type: 'image', src, fit: 'cover' }],
    moving: movingX([0], Math.ceil(frames), -60),
  })),
  // Dots in far corners: the rectangle around them is the image.
  fc.tuple(fc.constantFrom('photo', 'noise'), extreme(2, 120)).map(([src, frames]) => ({
    canvasSize: { width: 900, height: 900 },
    layers: [{ ...square, type: 'image', src, fit: 'cover' }, dot, { ...dot, x: 890, y: 890 }],
    moving: movingX([1, 2], Math.ceil(frames), 5),
  })),
  fc
    .tuple(fc.integer({ min: 2, max: 8 }), fc.constantFrom(0.5, 0.9))
    .map(([depth, opacity]) => laterGroups(depth, opacity)),
);
