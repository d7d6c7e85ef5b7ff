/** Boxes of generated stacks against the boxes that Chromium gives to the same flexboxes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import t from 'tap';
import type { Page } from 'playwright-core';
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import { walkItems } from '../../../workers/display-list.ts';
import type { Rect } from '../../../workers/display-list.ts';
import { aTemplate } from '../../fixtures/template-documents.ts';
import { skipsPages, startBrowser } from '../../helpers/browser.ts';
import { repository, validTemplate } from '../../helpers/render.ts';

const { bindScene } = await import('../../../workers/bind-scene.ts');
const { layoutScene } = await import('../../../workers/layout/layout.ts');

/** Difference in design pixels by which a side of a box may be wrong. */
const differenceMax = 0.5;
const documents = 150;

// Generated stacks. Texts are `visible`: a browser never shrinks letters.

const length = (max: number, min = 1): fc.Arbitrary<number> => fc.integer({ min, max });
/** Letters without kerning, so that a word that is cut in a narrow box is cut at the same letter. */
const words = fc
  .array(fc.constantFrom('nnnnnn', 'n', 'uuuuuuuuuuuuuu', 'nnnuuu', 'uu'), {
    minLength: 1,
    maxLength: 7,
  })
  .map((each) => each.join(' '));

/** Twice the largest padding: a browser makes no box smaller than its padding. */
const paddingsMax = 40;

/** A width and a height of at least `least` pixels, with limits where the size is flexible. */
function sizes(isHugging: boolean, least = 1): fc.Arbitrary<Partial<Layer>> {
  const word = isHugging ? (['hug', 'fill'] as const) : (['fill'] as const);
  const size = fc.oneof(length(160, least), fc.constantFrom(...word));
  const limit = fc.option(length(120, least), { nil: undefined, freq: 4 });
  return fc.record({ width: size, height: size, min: limit, max: limit }).map((drawn) => {
    const { width, height, min, max } = drawn;
    const isWide = typeof width === 'string';
    const isHigh = typeof height === 'string';
    return {
      width,
      height,
      ...(isWide && min !== undefined ? { minWidth: min } : {}),
      ...(isWide && max !== undefined ? { maxWidth: Math.max(max, min ?? 0) } : {}),
      ...(isHigh && min !== undefined ? { minHeight: min } : {}),
    };
  });
}

const plain = { overflow: 'visible', fontFamily: 'Inter' };
const rect = sizes(false).map((size) => ({ type: 'rect', ...size, fill: '#888888' }));
const text = fc
  .record({
    size: sizes(true),
    text: words,
    fontSize: fc.constantFrom(10, 15, 20, 30),
    wrap: fc.boolean(),
  })
  .map(({ size, ...rest }) => ({ type: 'text', ...size, ...rest, ...plain }));

const stackSettings = fc.record({
  direction: fc.constantFrom('row', 'column'),
  gap: fc.integer({ min: 0, max: 20 }),
  padding: fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.tuple(length(20), length(20), length(20), length(20)),
  ),
  align: fc.constantFrom('start', 'center', 'end', 'stretch'),
  justify: fc.constantFrom('start', 'center', 'end', 'between'),
  wraps: fc.boolean(),
});

const { layer: anyLayer } = fc.letrec<{ layer: object; stack: object }>((tie) => ({
  layer: fc.oneof({ maxDepth: 3, depthSize: 'medium' }, rect, text, tie('stack')),
  stack: fc
    .record({
      size: sizes(true, paddingsMax),
      settings: stackSettings,
      layers: fc.array(tie('layer'), { minLength: 1, maxLength: 4 }),
    })
    .map(({ size, settings, layers }) => toStack(settings, { ...size, layers })),
}));

function toStack(
  { wraps, ...settings }: { direction: string; wraps: boolean },
  rest: object,
): object {
  const wrap = wraps && settings.direction === 'row' ? { wrap: true } : {};
  return { type: 'stack', ...settings, ...wrap, ...rest };
}

const root = fc
  .record({
    width: fc.oneof(fc.integer({ min: 100, max: 500 }), fc.constant('hug')),
    height: fc.oneof(fc.integer({ min: 100, max: 400 }), fc.constant('hug')),
    settings: stackSettings,
    layers: fc.array(anyLayer, { minLength: 2, maxLength: 5 }),
  })
  .map(({ width, height, settings, layers }) => {
    const drawn = toStack(settings, { x: 0, y: 0, width, height, layers });
    // Generated values share objects, and layers are kept by their objects.
    const stack = structuredClone(drawn) as StackLayer;
    nameLayers(stack, 'root');
    return stack;
  });

function nameLayers(layer: Layer, id: string): void {
  layer.id = id;
  if (layer.type !== 'stack') return;
  for (const [index, child] of layer.layers.entries()) {
    nameLayers(child, `${id}-${index}`);
    // Such a child is as high as its content here. In CSS it is as high as its minimum, even if its content is higher.
    const isOpen = layer.direction === 'column' && typeof layer.height !== 'number';
    if (isOpen && child.height === 'fill') delete child.minHeight;
    // Layers that fill are equally large here. In CSS each is so without its padding.
    const main = layer.direction === 'row' ? child.width : child.height;
    if (child.type === 'stack' && main === 'fill') delete child.padding;
  }
}

// The same stack for a browser.

const alignments = { start: 'flex-start', center: 'center', end: 'flex-end', stretch: 'stretch' };
const justifications = { ...alignments, between: 'space-between' };

function toHtml(layer: Layer, parent: StackLayer | undefined): string {
  const style = [...boxStyle(layer, parent), ...contentStyle(layer)].join(';');
  const inside =
    layer.type === 'stack'
      ? layer.layers.map((child) => toHtml(child, layer)).join('')
      : layer.type === 'text'
        ? layer.text
        : '';
  return `<div id="${layer.id}" style="${style}">${inside}</div>`;
}

function boxStyle(layer: Layer, parent: StackLayer | undefined): string[] {
  const { width, height, minWidth, maxWidth, minHeight } = layer;
  const limits = [
    minWidth === undefined ? '' : `min-width:${minWidth}px`,
    maxWidth === undefined ? '' : `max-width:${maxWidth}px`,
    minHeight === undefined ? '' : `min-height:${minHeight}px`,
  ];
  const px = (size: Layer['width'], word: string): string =>
    typeof size === 'number' ? `${size}px` : word;
  if (parent === undefined) {
    return [
      'position:absolute;left:0;top:0',
      `width:${px(width, 'max-content')};height:${px(height, 'auto')}`,
      ...limits,
    ];
  }
  const isRow = parent.direction === 'row';
  const [main, across] = isRow ? [width, height] : [height, width];
  const [mainName, acrossName] = isRow ? ['width', 'height'] : ['height', 'width'];
  const flex = { hug: '0 1 auto', fill: '1 1 0px' };
  return [
    typeof main === 'number' ? `flex:0 0 auto;${mainName}:${main}px` : `flex:${flex[main]}`,
    `${acrossName}:${px(across, 'auto')}`,
    across === 'fill' ? 'align-self:stretch' : '',
    ...limits,
  ];
}

function contentStyle(layer: Layer): string[] {
  if (layer.type === 'text') {
    const space = layer.wrap === false ? 'white-space:pre' : 'white-space:pre-wrap';
    return [`font:${layer.fontSize}px/1.2 Inter;overflow-wrap:break-word`, space];
  }
  if (layer.type !== 'stack') return [];
  const { direction, gap = 0, padding = 0, align = 'start', justify = 'start', wrap } = layer;
  const sides = [padding].flat().map((side) => `${side}px`);
  return [
    `display:flex;flex-direction:${direction};gap:${gap}px;align-content:flex-start`,
    `padding:${sides.join(' ')}`,
    `align-items:${alignments[align]};justify-content:${justifications[justify]}`,
    `flex-wrap:${wrap === true ? 'wrap' : 'nowrap'}`,
  ];
}

async function openPage(test: Parameters<typeof startBrowser>[0]): Promise<Page> {
  const browser = await startBrowser(test);
  const page = await browser.newPage();
  const font = readFileSync(join(repository, 'data/fonts/InterVariable.ttf')).toString('base64');
  await page.setContent(
    `<style>@font-face{font-family:Inter;src:url(data:font/ttf;base64,${font})}
    *{box-sizing:border-box;text-rendering:geometricPrecision;font-optical-sizing:none!important}</style><main style="font:16px Inter">a</main>`,
  );
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  return page;
}

function browserBoxes(page: Page, html: string): Promise<Record<string, Rect>> {
  return page.locator('main').evaluate((main, inner) => {
    main.innerHTML = inner;
    const entries = [...main.querySelectorAll('[id]')].map((element): [string, Rect] => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [element.id, { x, y, width, height }];
    });
    return Object.fromEntries(entries);
  }, html);
}

function layoutBoxes(stack: StackLayer): ReadonlyMap<string, Rect> {
  const template = validTemplate(aTemplate({ width: 600, height: 600, layers: [stack] }));
  const { displayList } = layoutScene(bindScene(template, new Map()), new Map());
  return new Map(Array.from(walkItems(displayList.items), ({ layer, box }) => [layer, box]));
}

t.test('stacks have the boxes of flexboxes', { skip: skipsPages }, async (t) => {
  const page = await openPage(t);
  await fc.assert(
    fc.asyncProperty(root, async (stack) => {
      const expected = await browserBoxes(page, toHtml(stack, undefined));
      const actual = layoutBoxes(stack);
      for (const [id, box] of Object.entries(expected)) {
        for (const side of ['x', 'y', 'width', 'height'] as const) {
          const ours = actual.get(id)?.[side] ?? NaN;
          if (Math.abs(ours - box[side]) <= differenceMax) continue;
          throw new Error(
            `${side} of ${id} is ${ours}, in Chromium ${box[side]}\n${toHtml(stack, undefined)}`,
          );
        }
      }
    }),
    { numRuns: documents },
  );
  t.pass(`${documents} stacks`);
});
