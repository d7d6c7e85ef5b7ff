import fc from 'fast-check';
import t from 'tap';
import { writtenNumber } from '#language/values/decimal-signs.ts';
import {
  channelsOf,
  colorBetween,
  cssPaint,
  documentColors,
  fromHsva,
  toHsva,
} from '../../src/studio/panels/fields/color-math.ts';
import {
  pathText,
  problemAt,
  setAt,
  valueAt,
  parseNumber,
  showNumber,
} from '../../src/studio/panels/fields/values.ts';
import {
  dropOn,
  groupsAround,
  shownPositions,
  stepOf,
} from '../../src/studio/panels/layers/order.ts';
import { readColor, toHex } from '#language/values/read-color.ts';
import { joinDate, readValue, splitDate } from '../../src/studio/panels/values/read-value.ts';
import type { NumberKind } from '../../src/studio/panels/fields/schema-fields.ts';
import { group, rect } from './built-layers.ts';
import { documentOf } from './documents.ts';

t.test('a colour that goes through the picker is the same colour', async () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, channel, (red, green, blue, alpha) => {
      const color = toHex([red, green, blue], alpha / 255);
      return fromHsva(toHsva(color)) === color;
    }),
  );
});

t.test('colours are read as people write them', async (t) => {
  const written = [
    'FF8800',
    ' #f80 ',
    'rgb(255, 136, 0)',
    'rgba(255 136 0 / 50%)',
    'rgb(300, 0, 0)',
  ];
  t.same(written.map(readColor), ['#ff8800', '#f80', '#ff8800', '#ff880080', '#ff0000']);
  for (const wrong of ['', 'red', '#12', '#12345', 'rgb(1,2)', '#ggg']) {
    t.equal(readColor(wrong), undefined, wrong);
  }
  t.same(channelsOf('#f808'), [255, 136, 0, 136 / 255]);
});

t.test('gradients are shown as CSS has them, and new stops lie between', async (t) => {
  const stops = [
    { offset: 0, color: '#000000' },
    { offset: 1, color: '#ffffff00' },
  ];
  const linear = 'linear-gradient(180deg, #000000 0%, #ffffff00 100%)';
  t.equal(cssPaint({ gradient: 'linear', stops }), linear);
  const conic = cssPaint({ gradient: 'conic', angle: 90, stops });
  t.match(conic, /^conic-gradient\(from 90deg at 50% 50%/);
  t.equal(cssPaint({ image: 'x' }), undefined);
  t.equal(colorBetween(stops, 0.5), '#80808080');
  t.equal(colorBetween(stops, 1), '#ffffff00');
  t.equal(colorBetween([], 0.5), '#888888');
  const colors = documentColors({ a: '#FFF', b: ['#ffffff', '#000000'], c: 'text #123' }, 5);
  t.same(colors, ['#ffffff', '#000000']);
});

t.test('numbers are read with commas, percent, units and small sums', async (t) => {
  const length: NumberKind = { type: 'number', whole: false, unit: 'px', isPart: false };
  const part: NumberKind = { ...length, unit: '%', isPart: true };
  const whole: NumberKind = { ...length, whole: true };
  const read = ['12,5', ' -3px ', '600/2', '10 - -4'].map((text) => parseNumber(length, text));
  t.same(read, [12.5, -3, 300, 14]);
  t.equal(parseNumber(part, '50 %'), 0.5);
  t.equal(parseNumber(whole, '2.6'), 3);
  t.equal(showNumber(part, 0.333), '33.3');
  for (const wrong of ['', 'abc', '1/0', '1.2.3', '--4', '5 apples']) {
    t.equal(parseNumber(length, wrong), undefined, wrong);
  }
});

t.test('values of spreadsheets are read, and unclear ones are not', async (t) => {
  const number = (text: string, lang?: string) => readValue('number', text, lang);
  for (const [written, value] of [
    ['19.90', '19.90'],
    ['9,90', '9.90'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u00a0234', '1234'],
    ['1,234,567', '1234567'],
    ['1234,567', '1234.567'],
    ['-0,5', '-0.5'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['€ 9,90', '9.90'],
    ['', ''],
  ] as const) {
    t.equal(number(written), value, written);
  }
  for (const wrong of ['about 5', '1,234', '1,23,4', '12,34.5', '1.2.3', '1 23', '-'])
    t.equal(number(wrong), undefined, wrong);
  t.equal(number('1,234', 'en'), '1234');
  t.equal(number('1,234', 'de'), '1.234');
  t.equal(number('1.234', 'de'), '1234');
  t.equal(number('1.234', 'de-CH'), '1.234');
  t.equal(number("1'234.5", 'de-CH'), '1234.5');
  for (const lang of ['de', 'en', 'de-CH', 'fr', 'ar-EG', 'en-IN', undefined]) {
    for (const plain of ['1.234', '-1.234', '1234', '1234.5', '0.125', '']) {
      t.equal(number(writtenNumber(plain, lang), lang), plain, `${plain} in ${lang}`);
    }
  }

  const date = (text: string, lang?: string) => readValue('date', text, lang);
  for (const [written, value] of [
    ['2026-12-24', '2026-12-24'],
    ['2026-12-24T18:00', '2026-12-24T18:00'],
    ['2026-12-24 18:00:05 +0100', '2026-12-24T18:00:05+01:00'],
    ['24.12.2026', '2026-12-24'],
    ['24/12/2026', '2026-12-24'],
    ['27 Nov 2026', '2026-11-27'],
  ] as const) {
    t.equal(date(written), value, written);
  }
  for (const wrong of ['soon', '31.02.2026', '03/04/2026']) t.equal(date(wrong), undefined, wrong);
  t.equal(date('03/04/2026', 'de'), '2026-04-03');
  for (const zoned of ['2026-12-24T18:00-03:30', '2026-12-24T18:00:07Z']) {
    const parts = splitDate(zoned, undefined);
    t.equal(parts && joinDate(parts), zoned);
  }

  t.equal(readValue('boolean', 'TRUE', undefined), 'true');
  t.equal(readValue('boolean', 'perhaps', undefined), undefined);
  t.equal(readValue('color', 'FF8800', undefined), '#ff8800');
  t.equal(readValue('color', 'red', undefined), undefined);
  t.equal(readValue('text', ' as it is ', undefined), ' as it is ');
});

t.test('positions in a document are read, written and named as in the service', async (t) => {
  const root = { a: [{ b: 1 }, { b: 2 }], c: 'text' };
  t.equal(valueAt(root, ['a', 1, 'b']), 2);
  t.equal(valueAt(root, ['c', 'length', 'x']), undefined);
  setAt(root, ['a', 0], undefined);
  t.same(root.a, [{ b: 2 }]);
  setAt(root, ['x', 'y'], 1);
  t.notOk('x' in root, 'nothing is made unasked');
  setAt(root, ['x', 'y'], 1, true);
  t.same(valueAt(root, ['x']), { y: 1 });
  setAt(root, ['x', 'y'], undefined, true);
  t.notOk('x' in root, 'and what is empty goes again');
  t.equal(pathText(['layers', 2, 'shadow', 0, 'color']), 'layers[2].shadow[0].color');
});

t.test('a field shows the problems of its position and of what is inside it', async (t) => {
  const failure = {
    text: '',
    problems: [
      { path: 'layers[1].width', message: 'is -1, expected a number' },
      { path: 'layers[12].fill.stops[0]', message: 'is wrong' },
    ],
  };
  t.equal(problemAt(failure, 'layers[1].width')?.message, 'is -1, expected a number');
  t.equal(problemAt(failure, 'layers[12].fill')?.message, 'is wrong');
  t.equal(problemAt(failure, 'layers[1].widthX'), undefined);
  t.equal(problemAt(failure, 'layers[1].wid'), undefined);
  t.equal(problemAt(failure, 'layers[2].fill'), undefined);
  t.equal(problemAt(undefined, 'layers[1].width'), undefined);
});

const tree = documentOf([rect('a'), group('g', [rect('b')]), rect('c')]);

t.test('the tree shows the top layer first and hides what a closed group holds', async (t) => {
  const ids = (closed: string[]): string[] =>
    shownPositions(tree, new Set(closed)).map(({ layer }) => layer.id);
  t.same(ids([]), ['c', 'g', 'b', 'a']);
  t.same(ids(['g']), ['c', 'g', 'a']);
  t.same(groupsAround(tree, 'b'), ['g']);
  t.same(groupsAround(tree, 'a'), []);
});

t.test('a drop goes above, below or into what it falls on, never into itself', async (t) => {
  t.same(dropOn(tree, ['a'], 'c', 0.1), { group: undefined, index: 3 });
  t.same(dropOn(tree, ['c'], 'a', 0.9), { group: undefined, index: 0 });
  t.same(dropOn(tree, ['a'], 'g', 0.5), { group: 'g', index: 1 });
  t.same(dropOn(tree, ['a'], 'b', 0.2), { group: 'g', index: 1 });
  t.equal(dropOn(tree, ['g'], 'b', 0.2), undefined);
  t.equal(dropOn(tree, ['g'], 'g', 0.5), undefined);
});

t.test('keys step up, down, into and out of groups, and end at the ends', async (t) => {
  t.same(stepOf(tree, 'a', 'up'), { group: undefined, index: 2 });
  t.same(stepOf(tree, 'c', 'down'), { group: undefined, index: 1 });
  t.same(stepOf(tree, 'c', 'into'), { group: 'g', index: 1 });
  t.same(stepOf(tree, 'b', 'out'), { group: undefined, index: 2 });
  t.equal(stepOf(tree, 'c', 'up'), undefined);
  t.equal(stepOf(tree, 'a', 'down'), undefined);
  t.equal(stepOf(tree, 'a', 'out'), undefined);
  t.equal(stepOf(tree, 'a', 'into'), undefined);
});
