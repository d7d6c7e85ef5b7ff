import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import t from 'tap';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { ReadResult } from 'zxing-wasm/reader';
import { extent } from '../../helpers/extent.ts';
import { checkDigitOf, hasCheckDigit } from '#language/check-digit.ts';
import { barcodeKinds } from '#language/schema/layers.ts';
import type { BarcodeLayer } from '#language/schema/layers.ts';
import type { Outline, Rect } from '../../../workers/display-list.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import { codeContent, layoutBarcode, layoutQr } from '../../../workers/layout/code-layer.ts';
import type { CodeLayout } from '../../../workers/layout/code-layer.ts';
import { aLayer } from '../../fixtures/template-documents.ts';
import { anyCodePoint } from '../../helpers/code-points.ts';

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

t.test('a value that cannot be encoded is a problem, not an error', async (t) => {
  t.same(qr({ value: '' }), { problem: 'its value is empty' });
  t.match(qr({ value: 'x'.repeat(1300), errorCorrection: 'H' }), {
    problem: /^its value is too long for a QR code/,
  });
  t.same(barcode('ean13', ''), { problem: 'its value is empty' });
  t.match(barcode('ean13', '123'), { problem: /^its value is no ean13: .*12 or 13 digits/ });
  t.match(barcode('ean13', '97802013'), {
    problem: /^its value is no ean13: .*12 or 13 digits/,
  });
  t.match(barcode('code39', 'häß'), { problem: /^its value is no code39/ });
});

t.test('every kind has its quiet zone', async (t) => {
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
    const tight = { ...at, width: modules * 2 };
    t.equal(darkOf(barcode(kind, value, { quietZone: 0 }, tight)).rect.x, 0);
  }
});

t.test('no value makes encoding throw', async () => {
  const text = fc.string({ unit: anyCodePoint, maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...barcodeKinds), text, (kind, value) =>
      [barcode(kind, value), qr({ value })].every(
        (layout) => !('problem' in layout && layout.problem.length > 200),
      ),
    ),
    { numRuns: extent(40, 150) },
  );
});

const wasmPath = import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: readFileSync(new URL(wasmPath)).buffer } });

/** What a foreign reader finds in a linear code, as Latin-1. */
async function scan(layout: CodeLayout): Promise<string | undefined> {
  const [quiet, pixelsAModule, height] = [10, 2, 8];
  const bars = [...darkOf(layout).data.matchAll(/M(\d+) 0H(\d+)/g)];
  const width = (Number(bars.at(-1)?.[2]) + 2 * quiet) * pixelsAModule;
  const row = new Uint32Array(width).fill(0xffffffff);
  for (const [, from, to] of bars) {
    row.fill(
      0xff000000,
      (Number(from) + quiet) * pixelsAModule,
      (Number(to) + quiet) * pixelsAModule,
    );
  }
  const rows = Buffer.concat(Array<Uint8Array>(height).fill(new Uint8Array(row.buffer)));
  const found = await readCode(rows, width, 'Code128');
  return found && Buffer.from(found.bytes).toString('latin1');
}

/** What a foreign reader finds in RGBA pixels. */
async function readCode(
  pixels: Uint8Array,
  width: number,
  format: 'Code128' | 'QRCode',
): Promise<ReadResult | undefined> {
  const height = pixels.length / 4 / width;
  const image = { data: new Uint8ClampedArray(pixels), width, height, colorSpace: 'srgb' as const };
  const [found] = await readBarcodes(image, { formats: [format] });
  return found;
}

t.test('code 128 scans as what was asked for, or is refused', async (t) => {
  const values = ['A1', 'é Grüße', 'Ångström 12345678 ÿ', '\u0001\u009F', 'ÀÉÎÕÜ', '1234é5678'];
  for (const value of values) t.equal(await scan(barcode('code128', value)), value);
  const latin = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(latin, async (codes) => {
      const value = String.fromCharCode(...codes);
      return (await scan(barcode('code128', value))) === value;
    }),
  );
  t.match(barcode('code128', '日本'), { problem: /"日".*code128 holds.*Latin-1/ });
  t.match(barcode('code39', 'Ж'), { problem: /"Ж".*code39 holds digits, the capital letters/ });
  for (const kind of ['ean13', 'ean8', 'upca', 'interleaved2of5'] as const) {
    t.match(barcode(kind, '１２３'), { problem: /"１".*holds digits$/ }, kind);
  }
});

/** What a foreign reader finds in a QR code, drawn with four pixels a module. */
async function scanQr(value: string): Promise<string | undefined> {
  const { data, rect, scaleX } = darkOf(qr({ value }, { x: 0, y: 0, width: 600, height: 600 }));
  const width = rect.width;
  const pixels = new Uint32Array(width * width).fill(0xffffffff);
  for (const [, from, y, to] of data.matchAll(/M(\d+) (\d+)H(\d+)/g)) {
    for (let row = Number(y) * scaleX; row < (Number(y) + 1) * scaleX; row += 1) {
      pixels.fill(
        0xff000000,
        row * width + Number(from) * scaleX,
        row * width + Number(to) * scaleX,
      );
    }
  }
  const found = await readCode(new Uint8Array(pixels.buffer), width, 'QRCode');
  return found?.hasECI === true ? `ECI ${found.text}` : found?.text;
}

t.test('a QR code of letters beyond ASCII says that they are UTF-8', async (t) => {
  const ascii = ['Anna', '0123456789', 'HTTPS://EXAMPLE.COM', 'https://example.com/?name=Anna'];
  for (const value of ascii) t.equal(await scanQr(value), value);
  const others =
    'Müller · José · 5 € · Łukasz · Ελένη · Елена · שלום · مرحبا · 日本語 · 한국어 · 👩‍🚀';
  for (const value of others.split(' · ')) t.equal(await scanQr(value), `ECI ${value}`);
  t.match(qr({ value: 'é'.repeat(1300) }), { problem: /^its value is too long for a QR code/ });
});

t.test('the digits of a number are read without what stands round them', async (t) => {
  const dark = (kind: BarcodeLayer['kind'], value: string): string =>
    darkOf(barcode(kind, value)).data;
  const same: [kind: BarcodeLayer['kind'], digits: string, written: string][] = [
    [
      'ean13',
      '9780201379624',
      '978-0-201-37962-4 · 978 0 201 37962 4 · 978–0–201–37962–4 ·  9780201379624',
    ],
    ['ean8', '96385074', '9638-5074 · 9638 5074\n'],
    ['upca', '036000291452', '0 36000 29145 2'],
    ['interleaved2of5', '1234', '12-34 · 12\u00A034'],
  ];
  for (const [kind, digits, written] of same) {
    for (const value of written.split(' · ')) {
      t.equal(dark(kind, value), dark(kind, digits), `${kind} ${JSON.stringify(value)}`);
    }
  }
});

/** The warnings of a code. */
function warningsOf(layout: CodeLayout): RenderWarning[] {
  const warnings: RenderWarning[] = [];
  codeContent('code', layout, warnings);
  return warnings;
}

t.test('a number that may be the code of another product is named', async (t) => {
  const doubted = {
    upca: ['36000291452', /of 360002914522; .* 036000291452 without the zeros .* all 12 digits/],
    ean13: ['036000291452', /of 0360002914522; its value may be 0036000291452 without/],
    ean8: ['1234565', /of 12345656; its value may be 01234565 without/],
    interleaved2of5: ['123', /readers find "0123", because this kind holds pairs/],
  } as const;
  for (const [kind, [value, detail]] of Object.entries(doubted)) {
    const layout = barcode(kind as keyof typeof doubted, value);
    t.match(warningsOf(layout), [{ code: 'CODE_UNREADABLE', layer: 'code', detail }], kind);
  }
  const clear: [kind: BarcodeLayer['kind'], value: string][] = [
    ['upca', '36000291453'],
    ['ean13', '978020137962'],
    ['ean13', '590123412346'],
    ['ean8', '9638508'],
    ['interleaved2of5', '0123'],
  ];
  for (const [kind, value] of clear) t.same(warningsOf(barcode(kind, value)), [], kind);
});

t.test('colours in which readers find no code are named', async (t) => {
  const detailOf = (layout: CodeLayout): string | undefined => warningsOf(layout)[0]?.detail;
  const value = 'A1';
  const inverted = { value, color: '#ffffff', background: '#12355b' };
  t.match(detailOf(qr(inverted)), /lighter than their ground/);
  t.match(detailOf(barcode('code128', value, inverted)), /lighter than their ground/);
  const faint = { value, color: '#ccc', background: '#dedede' };
  t.match(detailOf(qr(faint)), /differ by 1\d % of the light, and readers need 20 %/);
  t.match(
    detailOf(qr({ value, color: '#00000020' })),
    /differ by 1\d %/,
    'modules that are seen through',
  );
  t.match(detailOf(qr({ value, color: '#fff' })), /differ by 0 %/);
  // Readers of bars send red light; those of matrices take photographs.
  const red = { value, color: '#d7263d' };
  t.match(detailOf(barcode('code39', value, { color: '#ff0000' })), /0 % of the red light/);
  t.equal(detailOf(qr(red)), undefined);
  t.equal(detailOf(barcode('datamatrix', value, red)), undefined);
  for (const color of ['#000', '#12355b', '#7a1020', '#2e7d32']) {
    t.equal(detailOf(qr({ value, color })), undefined, color);
  }
  const open = { value, color: '#fff', background: '#0000' };
  t.equal(detailOf(qr(open)), undefined, 'what is behind is not known');
});

t.test('a wrong check digit and many lost zeros are refused in words', async (t) => {
  const lost = /has 11 digits, and is 0036000291452 without.* all 13 digits/;
  t.match(barcode('ean13', '36000291452'), { problem: lost });
  t.match(barcode('ean13', '9780201379625'), { problem: /ends in 5, .*check digit .* is 4/ });
  const digits = fc.stringMatching(/^[1-9]\d{11}$/);
  fc.assert(
    fc.property(digits, (twelve) => {
      const number = twelve + checkDigitOf(twelve);
      const layout = barcode('ean13', number);
      return hasCheckDigit(number) && darkOf(layout).data === darkOf(barcode('ean13', twelve)).data;
    }),
    { numRuns: 20 },
  );
});

t.test('a matrix code holds Latin-1 as it is, and says so of UTF-8', async (t) => {
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
});

t.test('a value that is too long is refused before it is encoded', async (t) => {
  const long = { datamatrix: 3117, pdf417: 2711, azteccode: 401 } as const;
  for (const [kind, bytes] of Object.entries(long)) {
    for (const value of ['7'.repeat(bytes), '😀'.repeat(Math.ceil(bytes / 4))]) {
      const layout = barcode(kind as keyof typeof long, value);
      t.match(layout, { problem: `longer than the ${bytes - 1} bytes` });
    }
  }
  t.notOk('problem' in barcode('azteccode', 'a'.repeat(400), {}, { ...box, height: 300 }));
});
