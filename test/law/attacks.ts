/** Generates what took a service down once. */
import * as fc from 'fast-check';
import { blendModes } from '#language/schema/layer-base.ts';
import { closedShapes, repeatedPath } from '../fixtures/hostile-paths.ts';
import {
  extreme,
  fill,
  filter,
  fixture,
  optional,
  path,
  present,
  shadow,
  stroke,
  wordTexts,
} from './parts.ts';
import type { Values } from './parts.ts';

const box = { x: 0, y: 0, width: 1200, height: 630 };

const small = { x: 5, y: 50, width: 40, height: 29, type: 'rect', fill: '#123' };
const large = { x: 0, y: 0, width: 4096, height: 4096, type: 'ellipse', opacity: 0.5 };
const turned = { x: 0, y: 0, type: 'image', rotation: 3 };

/** Layers of one kind, each a little different, so that no cache helps. */
function several(layer: fc.Arbitrary<Values>, least: number, most: number): fc.Arbitrary<Values[]> {
  return fc.tuple(layer, extreme(least, most)).map(([one, times]) => {
    const { x = 0 } = one;
    return Array.from({ length: Math.ceil(times) }, (_, index) => ({
      ...one,
      x: Number(x) + index,
    }));
  });
}

/** Paths whose segments run along each other. */
const tangled = fc
  .tuple(fc.constantFrom(...closedShapes), extreme(2, 300), fc.constantFrom(0, 0.001, 0.01, 0.3))
  .map(([shape, times, step]) => repeatedPath(shape, Math.ceil(times), step));

/** What took a service down once: each is cheap in small and has no end in large. */
export const attacks: fc.Arbitrary<Values[]> = fc.oneof(
  // Strong effects in one another, whose buffers grow.
  fc
    .tuple(fc.integer({ min: 2, max: 8 }), extreme(10, 200), optional(shadow))
    .map(([depth, blur, cast]) => {
      let list: Values[] = [{ ...box, type: 'rect', fill: '#ff000080' }];
      for (let level = 0; level < depth; level += 1) {
        list = [present({ ...box, type: 'group', blur, shadow: cast, layers: list })];
      }
      return list;
    }),
  // Wide strokes of many letters.
  several(
    fc
      .tuple(
        fc.constantFrom(...wordTexts),
        fc.integer({ min: 100, max: 2000 }),
        extreme(4, 80),
        extreme(4, 400),
        fc.constantFrom('round', 'miter', 'bevel'),
      )
      .map(([word, codePoints, fontSize, width, join]) => ({
        ...box,
        type: 'text',
        text: word.repeat(Math.floor(codePoints / Array.from(word).length)),
        fontSize,
        stroke: { color: '#f008', width, join },
      })),
    1,
    8,
  ),
  // Long and tangled paths that cut text, images or gradients.
  fc
    .tuple(fc.oneof(path, tangled), fc.constantFrom('text', 'rect', 'image'), fill)
    .map(([data, type, paint]) => [
      {
        ...box,
        type,
        clip: { shape: 'path', path: data },
        ...{
          text: { text: 'Wm'.repeat(500), fill: paint },
          rect: { fill: paint },
          image: { src: 'photo' },
        }[type],
      },
    ]),
  // Dashes of long and wide lines.
  several(
    fc
      .tuple(path, extreme(1, 400), extreme(0.1, 400), fc.constantFrom('butt', 'round', 'square'))
      .map(([data, width, dash, cap]) => ({
        ...box,
        type: 'path',
        path: data,
        stroke: { color: '#00f', width, dash: [dash], cap },
      })),
    1,
    12,
  ),
  // Small layers with large effects.
  several(
    fc
      .tuple(fc.array(shadow, { minLength: 1, maxLength: 4 }), extreme(20, 200), optional(filter))
      .map(([casts, blur, look]) => present({ ...small, shadow: casts, blur, filter: look })),
    1,
    20,
  ),
  // Many texts, each at a size of its own.
  fc
    .tuple(extreme(20, 500), fc.constantFrom(...wordTexts), fc.constantFrom(0, 0.37))
    .map(([count, word, step]) =>
      Array.from({ length: Math.ceil(count) }, (_, index) => ({
        ...box,
        y: index,
        type: 'text',
        text: word.repeat(4),
        fontSize: 12 + index * step,
      })),
    ),
  // Transparent, blended and masked layers all over the canvas.
  several(
    fc
      .tuple(fc.constantFrom(...blendModes), fill, stroke, optional(fc.constant(true)))
      .map(([blendMode, paint, line, isMasked]) =>
        present({ ...large, blendMode, fill: paint, stroke: line, isMasked }),
      ),
    1,
    100,
  ),
  // Large images with what is done to their pixels.
  several(
    fc
      .tuple(
        fixture,
        optional(filter),
        extreme(100, 8000),
        optional(fc.constant({ dark: '#000', light: '#fff' })),
      )
      .map(([src, look, width, duotone]) =>
        present({ ...turned, width, height: width, src, filter: look, duotone }),
      ),
    1,
    40,
  ),
);
