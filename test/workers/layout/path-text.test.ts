/** Text on a path: what fits, what goes on, and the stripes that follow it. */
import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import type { DisplayContent } from '../../../workers/display-list.ts';
import type { TextLayout } from '../../../workers/layout/text-layer.ts';
import { anItem } from '../../fixtures/display-items.ts';
import { layoutLayer, textLayer } from '../../helpers/text.ts';

const { paint } = await import('../../../workers/paint/paint.ts');
const { itemBounds } = await import('../../../workers/paint/bounds.ts');

const canvasBox = { x: 0, y: 0, width: 200, height: 200 };
const tolerance = 0.05;
const path = 'M 0 50 L 100 50';
const text = 'Along a short path';

function onPath(words: string, rest: Partial<TextLayer> = {}): TextLayout {
  return layoutLayer(textLayer(words, { path, ...rest }));
}

function contentOf({ content }: TextLayout): DisplayContent & { kind: 'path-text' } {
  if (content.kind !== 'path-text') throw new TypeError('expected text on a path');
  return content;
}

function codesOf({ warnings }: TextLayout): string[] {
  return warnings.map(({ code }) => code);
}

function lettersOf(layout: TextLayout): string {
  const glyphs = contentOf(layout).glyphs.toSorted((a, b) => a.offset - b.offset);
  return glyphs.map((glyph) => glyph.text).join('');
}

/** Columns and rows of an image of 200 x 200 in which a pixel of the content is at least half opaque. */
function inkOf(layout: TextLayout): { xs: number[]; ys: number[] } {
  const item = anItem(canvasBox, contentOf(layout));
  const list = { width: 200, height: 200, background: undefined, items: [item] };
  const { data, widthPx } = paint(list, new Map(), 1);
  const positions = Array.from(data.keys()).filter((at) => at % 4 === 3 && (data[at] ?? 0) > 127);
  return {
    xs: positions.map((at) => ((at - 3) / 4) % widthPx),
    ys: positions.map((at) => Math.floor((at - 3) / 4 / widthPx)),
  };
}

const highest = (all: readonly number[]): number => all.reduce((a, b) => Math.max(a, b), -Infinity);
const lowest = (all: readonly number[]): number => all.reduce((a, b) => Math.min(a, b), Infinity);

t.test('text is shrunk to its path', (t) => {
  const shrunk = onPath(text, { minSize: 4 });
  t.ok(shrunk.fontSize < 20 && shrunk.warnings.length === 0);
  t.ok(contentOf(shrunk).width <= 100 + tolerance);
  t.equal(lettersOf(onPath('שלום')), 'םולש', 'Hebrew runs from right to left along the path');
  t.end();
});

t.test('text that no size fits ends with an ellipsis', (t) => {
  for (const overflow of ['shrink', 'ellipsis'] as const) {
    const cut = onPath(text, { overflow, minSize: 18 });
    t.same(codesOf(cut), ['TEXT_TRUNCATED'], overflow);
    t.match(lettersOf(cut), /^Alonga.*\u2026$/);
    t.ok(contentOf(cut).width <= 100 + tolerance);
  }
  t.match(lettersOf(onPath('שלום לכולם שלום', { overflow: 'ellipsis' })), /^\u2026/);
  const clipped = onPath(text, { overflow: 'clip' });
  t.same([codesOf(clipped), lettersOf(clipped)], [['TEXT_OVERFLOWS'], 'Alongashortpath']);
  t.ok(highest(inkOf(clipped).xs) < 108, 'what stands over is left out');
  t.end();
});

t.test('visible text goes straight on at both ends of its path', (t) => {
  for (const overflow of ['visible', 'grow'] as const) {
    const { warnings } = onPath(text, { overflow });
    t.same(warnings, []);
  }
  const rest = { overflow: 'visible', path: 'M 60 50 L 120 50' } as const;
  const left = inkOf(onPath(text, rest));
  t.ok(highest(left.xs) > 180 && lowest(left.xs) >= 59);
  const center = inkOf(onPath(text, { ...rest, align: 'center' }));
  t.ok(lowest(center.xs) < 40 && highest(center.xs) > 140);
  t.ok(highest(center.ys) < 58, 'on the same line');
  t.end();
});

t.test('underline, strike, background and pill follow the path', (t) => {
  // A circle of 60 round 100, 100: what is below the baseline lies within it.
  const circle = 'M 100 160 A 60 60 0 1 1 100.01 160';
  const stripes: [name: string, rest: Partial<TextLayer>, inner: number, outer: number][] = [
    ['underline', { underline: true }, 56.6, 57.8],
    ['strike', { strike: true }, 65, 65.8],
    ['background', { background: '#ff0' }, 58, 76],
    ['pill', { linePill: { fill: '#ff0', paddingX: 4, paddingY: 5 } }, 50, 82],
  ];
  for (const [name, rest, inner, outer] of stripes) {
    const layout = onPath('i i i i i i i i i i i i i i i', { path: circle, ...rest });
    t.same(layout.warnings, []);
    const { backgrounds, lines } = contentOf(layout);
    t.equal(backgrounds.length + lines.length, 1, name);
    const { xs, ys } = inkOf(layout);
    const ink = new Set(xs.map((x, index) => `${x} ${ys[index]}`));
    const radius = (inner + outer) / 2;
    const width = contentOf(layout).width;
    // All along the text, between its letters, too.
    for (let along = 4; along < width - 4; along += 3) {
      const angle = Math.PI / 2 + along / 60;
      const x = Math.floor(100 + radius * Math.cos(angle));
      const y = Math.floor(100 + radius * Math.sin(angle));
      const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => `${x + dx} ${y + dy}`));
      if (!near.some((position) => ink.has(position))) t.fail(`${name}: nothing at ${along}`);
    }
    const reaches = xs.map((x, index) => Math.hypot(x + 0.5 - 100, (ys[index] ?? 0) + 0.5 - 100));
    t.ok(lowest(reaches) < inner + 1.5, `${name} reaches ${lowest(reaches)}`);
  }
  t.end();
});

t.test('bounds hold all that is painted', (t) => {
  const stroke = { color: '#000', width: 6, join: 'miter' } as const;
  const linePill = { fill: '#ff0', paddingX: 20, paddingY: 12, cornerRadius: 9 };
  for (const rest of [{ stroke }, { linePill }, { background: '#ff0', underline: true }]) {
    const layout = onPath(text, { ...rest, overflow: 'visible', path: 'M 90 90 Q 100 70 110 90' });
    const { xs, ys } = inkOf(layout);
    const { x, y, width, height } = itemBounds(anItem(canvasBox, contentOf(layout)));
    t.ok(lowest(xs) >= x && lowest(ys) >= y);
    t.ok(highest(xs) <= x + width && highest(ys) <= y + height);
  }
  t.end();
});
