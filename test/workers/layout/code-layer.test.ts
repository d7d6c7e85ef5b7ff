import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { barcodeKinds } from '#language/schema/layers.ts';
import type { BarcodeLayer } from '#language/schema/layers.ts';
import type { Outline, Rect } from '../../../workers/display-list.ts';
import { layoutBarcode, layoutQr } from '../../../workers/layout/code-layer.ts';
import type { CodeLayout } from '../../../workers/layout/code-layer.ts';
import { aLayer } from '../../fixtures/template-documents.ts';
import { readCode128 } from '../../helpers/code128.ts';

const box = { x: 10, y: 20, width: 300, height: 120 };

function qr(properties: Record<string, unknown>, at: Rect = box): CodeLayout {
  return layoutQr(aLayer('qr', properties) as never, at);
}

function barcode(
  kind: BarcodeLayer['kind'],
  value: string,
  properties = {},
  at: Rect = box,
): CodeLayout {
  return layoutBarcode(aLayer('barcode', { kind, value, ...properties }) as never, at);
}

/** The dark modules of a layout. */
function darkOf(layout: CodeLayout): Outline & { kind: 'path' } {
  if ('problem' in layout || layout.content.kind !== 'group') throw new Error('no code');
  const [ground, dark] = layout.content.items;
  t.match(ground?.content, { kind: 'shape', outline: { kind: 'rect' } }, 'its ground is the box');
  const content = dark?.content;
  if (content?.kind !== 'shape' || content.outline.kind !== 'path') throw new Error('no modules');
  return content.outline;
}

t.test('modules are whole pixels at whole positions', (t) => {
  const length = fc.double({ min: 29, max: 600, noNaN: true });
  fc.assert(
    fc.property(
      length,
      length,
      fc.double({ min: -50, max: 50, noNaN: true }),
      (width, height, x) => {
        const dark = darkOf(qr({ value: 'a', quietZone: 4 }, { x, y: x / 2, width, height }));
        const isWhole =
          Number.isInteger(dark.scaleX) &&
          Number.isInteger(dark.rect.x) &&
          Number.isInteger(dark.rect.y);
        return (
          isWhole &&
          dark.scaleX === dark.scaleY &&
          dark.scaleX >= 1 &&
          dark.rect.width <= Math.min(width, height)
        );
      },
    ),
    { numRuns: 30 },
  );
  t.end();
});

t.test('a value that cannot be encoded is a problem, not an error', (t) => {
  t.same(qr({ value: '' }), { problem: 'its value is empty' });
  t.match(qr({ value: 'x'.repeat(1300), errorCorrection: 'H' }), {
    problem: /^its value is too long for a QR code/,
  });
  t.same(barcode('ean13', ''), { problem: 'its value is empty' });
  t.match(barcode('ean13', '123'), { problem: /^its value is no ean13: .*12 or 13 digits/ });
  t.match(barcode('ean13', '9780201379625'), { problem: /^its value is no ean13: .*check digit/i });
  t.match(barcode('code39', 'häß'), { problem: /^its value is no code39/ });
  t.end();
});

t.test('every kind has its quiet zone', (t) => {
  const values: Record<BarcodeLayer['kind'], [value: string, modules: number, quiet: number]> = {
    code128: ['A1', 57, 10],
    code39: ['A', 48, 10],
    ean13: ['9780201379624', 95, 11],
    ean8: ['96385074', 67, 7],
    upca: ['012345678905', 95, 9],
    interleaved2of5: ['1234', 37, 10],
    datamatrix: ['Hello', 12, 1],
    pdf417: ['Hello', 103, 2],
    azteccode: ['Hello', 19, 0],
  };
  for (const kind of barcodeKinds) {
    const [value, modules, quiet] = values[kind];
    // Just wide enough for two pixels a module, and too narrow by one.
    const width = (modules + 2 * quiet) * 2;
    const at = { x: 0, y: 0, width, height: 1000 };
    const dark = darkOf(barcode(kind, value, {}, at));
    t.equal(dark.scaleX, 2, kind);
    t.equal(dark.rect.x, quiet * 2);
    t.equal(darkOf(barcode(kind, value, {}, { ...at, width: width - 1 })).scaleX, 1);
    t.equal(
      darkOf(barcode(kind, value, { quietZone: 0 }, { ...at, width: modules * 2 })).rect.x,
      0,
    );
  }
  t.end();
});

t.test('linear codes are as high as their box, matrix codes keep their proportions', (t) => {
  t.match(darkOf(barcode('ean13', '9780201379624')), { scaleX: 2, scaleY: 120 });
  t.match(darkOf(barcode('datamatrix', 'Hello')), { scaleX: 8, scaleY: 8 });
  t.end();
});

t.test('the module size is reported, so that one too small can be warned of', (t) => {
  t.match(qr({ value: 'a' }), { modulePx: 4 });
  const small = qr({ value: 'a' }, { ...box, width: 20, height: 20 });
  t.ok('modulePx' in small && small.modulePx < 1);
  t.end();
});

t.test('no value makes encoding throw', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...barcodeKinds),
      fc.string({ unit: 'binary', maxLength: 40 }),
      (kind, value) => {
        for (const layout of [barcode(kind, value), qr({ value })]) {
          if ('problem' in layout && layout.problem.length > 200) return false;
        }
        return true;
      },
    ),
    { numRuns: extent(40, 150) },
  );
  t.end();
});

/** Widths of the bars and spaces of a linear code, modules. */
function barWidths(layout: CodeLayout): number[] {
  const edges = [...darkOf(layout).data.matchAll(/M(\d+) 0H(\d+)/g)].flatMap(([, from, to]) => [
    Number(from),
    Number(to),
  ]);
  return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
}

t.test('code 128 scans as what was asked for, or is refused', (t) => {
  for (const value of [
    'A1',
    'é Grüße',
    'Ångström 12345678 ÿ',
    '\u0001\u009F',
    'ÀÉÎÕÜ',
    '1234é5678',
  ]) {
    t.equal(readCode128(barWidths(barcode('code128', value))), value);
  }
  const latin = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(latin, (codes) => {
      const value = String.fromCharCode(...codes);
      return readCode128(barWidths(barcode('code128', value))) === value;
    }),
  );
  t.match(barcode('code128', '日本'), { problem: /"日".*code128 holds.*Latin-1/ });
  t.match(barcode('code39', 'Ж'), { problem: /"Ж".*code39 holds digits, the capital letters/ });
  for (const kind of ['ean13', 'ean8', 'upca', 'interleaved2of5'] as const) {
    t.match(barcode(kind, '１２３'), { problem: /"１".*holds digits$/ }, kind);
  }
  t.end();
});

t.test('a matrix code holds Latin-1 as it is, and says so of UTF-8', (t) => {
  const at = { x: 0, y: 0, width: 14 * 6, height: 14 * 6 };
  const modules = (value: string): number =>
    (darkOf(barcode('datamatrix', value, { quietZone: 0 }, at)).data.match(/H(\d+)/g) ?? [])
      .map((end) => Number(end.slice(1)))
      .reduce((most, end) => Math.max(most, end), 0);
  // ISO/IEC 16022: three codewords, which a letter above U+007F takes two of, fill 10 modules.
  t.equal(modules('é'), 10, 'as one byte');
  t.ok(modules('Ж') > 10, 'with its interpretation and two bytes');
  for (const kind of ['datamatrix', 'pdf417', 'azteccode'] as const) {
    const dark = (value: string): string => darkOf(barcode(kind, value)).data;
    t.not(dark('日本'), dark('\xE6\x97\xA5\xE6\x9C\xAC'), `${kind} tells UTF-8 from Latin-1`);
    t.not(dark('日^'), dark('日^^'), 'a caret is a caret');
    t.not(dark('^ECI000026é'), dark('é'), 'and commands nothing');
  }
  t.end();
});

t.test('a value that is too long is refused before it is encoded', (t) => {
  const long = { datamatrix: 3117, pdf417: 2711, azteccode: 401 } as const;
  for (const [kind, bytes] of Object.entries(long)) {
    for (const value of ['7'.repeat(bytes), '😀'.repeat(Math.ceil(bytes / 4))]) {
      const layout = barcode(kind as keyof typeof long, value);
      t.match(layout, { problem: `longer than the ${bytes - 1} bytes` });
    }
  }
  t.notOk('problem' in barcode('azteccode', 'a'.repeat(400), {}, { ...box, height: 300 }));
  t.end();
});
