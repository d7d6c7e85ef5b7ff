/** Generates SVG layers: filters, dashes, patterns, masks, references and text, from harmless to hostile. */
import * as fc from 'fast-check';
import { bound, extreme, pathOf } from './parts.ts';
import type { Values } from './parts.ts';

/** Attributes of a stroke, with dashes from sound to tiny. */
const strokeAttributes = fc
  .tuple(
    bound(extreme(0.1, 1000)),
    fc.option(fc.tuple(bound(extreme(0.001, 50)), extreme(0.001, 50)), { nil: undefined }),
    fc.constantFrom('butt', 'round', 'square'),
  )
  .map(([width, dash, cap]) => {
    const dashes = dash === undefined ? '' : ` stroke-dasharray="${dash.join(' ')}"`;
    return `fill="none" stroke="#43a072" stroke-width="${width}" stroke-linecap="${cap}"${dashes}`;
  });

const shapes = fc.oneof(
  fc.constant('<rect width="1000" height="1000" fill="{{color}}"/>'),
  fc.constant('<circle cx="500" cy="500" r="400" fill="#c35"/>'),
  fc
    .tuple(strokeAttributes, extreme(1, 1500), extreme(100, 1e6), fc.constantFrom('L', 'Q', 'C'))
    .map(
      ([attributes, segments, reach, kind]) =>
        `<path ${attributes} d="${pathOf(Math.ceil(segments), reach, kind, 7)}"/>`,
    ),
  fc
    .tuple(strokeAttributes, extreme(8, 1000), extreme(1, 800))
    .map(
      ([attributes, size, letters]) =>
        `<text y="500" font-size="${size}" ${attributes}>${'Wm {{text}}'.slice(0, letters < 20 ? 2 : 11).repeat(Math.ceil(letters / 11))}</text>`,
    ),
);

const primitive = fc.oneof(
  bound(extreme(0, 300)).map((deviation) => `<feGaussianBlur stdDeviation="${deviation}"/>`),
  fc
    .tuple(bound(extreme(0, 1000)), fc.constantFrom('dilate', 'erode'))
    .map(([radius, operator]) => `<feMorphology operator="${operator}" radius="${radius}"/>`),
  fc
    .tuple(extreme(1, 99), extreme(0.001, 1))
    .map(
      ([octaves, frequency]) =>
        `<feTurbulence numOctaves="${Math.ceil(octaves)}" baseFrequency="${frequency}"/>`,
    ),
  extreme(2, 60).map((side) => {
    const order = Math.ceil(side);
    return `<feConvolveMatrix order="${order}" kernelMatrix="${'1 '.repeat(order * order).trim()}"/>`;
  }),
  bound(extreme(0, 300)).map(
    (deviation) => `<feDropShadow dx="9" dy="9" stdDeviation="${deviation}"/>`,
  ),
  fc.constant(
    '<feSpecularLighting surfaceScale="5" lighting-color="#fff"><fePointLight x="9" y="9" z="90"/></feSpecularLighting>',
  ),
  fc.constant('<feDisplacementMap in2="SourceGraphic" scale="90"/>'),
  fc.constant('<feColorMatrix type="saturate" values=".3"/>'),
);

const filtered = fc
  .tuple(fc.array(primitive, { minLength: 1, maxLength: 6 }), shapes, extreme(1, 40))
  .map(([primitives, shape, nesting]) => {
    const depth = Math.ceil(nesting);
    return (
      `<filter id="f" x="-1" y="-1" width="3" height="3">${primitives.join('')}</filter>` +
      `${'<g filter="url(#f)">'.repeat(depth)}${shape}${'</g>'.repeat(depth)}`
    );
  });

/** References, masks, clips and patterns of a shape, each within the one before: their number grows with a power. */
const multiplied = fc
  .tuple(
    fc.constantFrom('use', 'mask', 'pattern', 'clipPath'),
    fc.integer({ min: 1, max: 14 }),
    fc.integer({ min: 1, max: 10 }),
    shapes,
  )
  .map(([kind, levels, copies, shape]) => {
    const level = (index: number): string => {
      const inner = {
        use: `<use href="#a${index}"/>`,
        mask: `<rect width="999" height="999" fill="#fff" mask="url(#a${index})"/>`,
        pattern: `<rect width="99" height="99" fill="url(#a${index})"/>`,
        clipPath: `<rect width="99" height="99" clip-path="url(#a${index})"/>`,
      }[kind];
      const name = kind === 'use' ? 'g' : kind;
      const size = kind === 'pattern' ? ' width="3" height="3" patternUnits="userSpaceOnUse"' : '';
      return `<${name} id="a${index + 1}"${size}>${inner.repeat(copies)}</${name}>`;
    };
    const last = {
      use: `<use href="#a${levels}"/>`,
      mask: `<rect width="999" height="999" mask="url(#a${levels})"/>`,
      pattern: `<rect width="999" height="999" fill="url(#a${levels})"/>`,
      clipPath: `<rect width="999" height="999" clip-path="url(#a${levels})"/>`,
    }[kind];
    const first = { use: 'g', mask: 'mask', pattern: 'pattern', clipPath: 'clipPath' }[kind];
    return `<${first} id="a0" width="9" height="9">${shape}</${first}>${Array.from({ length: levels }, (_, index) => level(index)).join('')}${last}`;
  });

const markup = fc
  .tuple(
    fc.oneof(
      fc.array(shapes, { minLength: 1, maxLength: 8 }).map((list) => list.join('')),
      filtered,
      filtered,
      multiplied,
    ),
    fc.constantFrom('', ' preserveAspectRatio="none"'),
  )
  .map(
    ([inside, attributes]) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"${attributes}>${inside}</svg>`,
  );

/** An SVG layer without its position and effects. */
export const svgLayer: fc.Arbitrary<Values> = markup.map((svg) => ({ type: 'svg', svg }));

/** Several SVG layers all over the canvas, each another drawing. */
export const svgAttack: fc.Arbitrary<Values[]> = fc
  .tuple(markup, extreme(1, 60), extreme(100, 4096))
  .map(([svg, times, size]) =>
    Array.from({ length: Math.ceil(times) }, (_, index) => ({
      type: 'svg',
      svg: svg.replace('<svg ', `<svg id="n${index}" `),
      x: index,
      y: 0,
      width: size,
      height: size,
    })),
  );
