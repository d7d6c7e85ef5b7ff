import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import { layoutLayer, paintedText, textLayer } from '../../helpers/text.ts';

/** Left edges of the squares of a text at 20 px, to a tenth of a pixel, by the runs of its first line. */
function edges(text: string, rest: Partial<TextLayer> = {}, lang = 'ja'): [string, number][] {
  const layer = textLayer(text, { width: 900, fontFamily: 'Noto Sans JP', ...rest });
  const { runs } = paintedText(layoutLayer(layer, lang));
  return runs.map((run) => [run.text, Math.round(run.x * 10) / 10]);
}

const adjacent = { punctuationTrim: 'adjacent' } as const;
const start = { punctuationTrim: 'start' } as const;

t.test('a mark beside another loses its blank half', (t) => {
  t.same(edges('春」「夏'), [['春」「夏', 0]]);
  t.same(edges('春」「夏', adjacent), [
    ['春', 0],
    ['」', 20],
    ['「夏', 30],
  ]);
  t.same(edges('春「「夏', adjacent), [
    ['春「', 0],
    ['「', 30],
    ['夏', 50],
  ]);
  t.same(edges('春。夏「秋', adjacent), [['春。夏「秋', 0]], 'beside letters it keeps it');
  t.end();
});

t.test('a mark that begins a line loses its blank half with start', (t) => {
  t.same(edges('「春', adjacent), [['「春', 0]]);
  t.same(edges('「春', start), [
    ['「', -10],
    ['春', 10],
  ]);
  t.same(edges('「春」', { ...start, align: 'right' }), [
    ['「', 840],
    ['春」', 860],
  ]);
  t.end();
});

t.test('a bracket that ends a full line loses its blank half', (t) => {
  const narrow = { width: 70, height: 200, overflow: 'grow' } as const;
  const lines = (rest: Partial<TextLayer>): string[] =>
    layoutLayer(textLayer('春夏秋」冬', { fontFamily: 'Noto Sans JP', ...narrow, ...rest }), 'ja')
      .lineTexts;
  t.same(lines({}), ['春夏', '秋」冬']);
  t.same(lines(adjacent), ['春夏秋」', '冬']);
  t.end();
});

t.test('dots in the middle of their squares and other directions stay whole', (t) => {
  const chinese = { ...adjacent, fontFamily: 'Noto Sans TC' };
  t.same(edges('春，。夏', chinese, 'zh-Hant'), [['春，。夏', 0]]);
  t.same(edges('春」，夏', chinese, 'zh-Hant'), [
    ['春', 0],
    ['」', 20],
    ['，夏', 30],
  ]);
  t.same(edges('(a) [b], “c”', { ...start, fontFamily: 'Inter' }, 'en'), [['(a) [b], “c”', 0]]);
  const onPath = textLayer('「「', { path: 'M0 50L900 50' });
  const { content } = layoutLayer({ ...onPath, ...start }, 'ja');
  t.same(content, layoutLayer(onPath, 'ja').content, 'along a path');
  t.end();
});

t.test('a text of marks alone is laid out in bounded work', (t) => {
  const layer = textLayer('「」'.repeat(1250), { ...start, fontFamily: 'Noto Sans JP' });
  t.ok(layoutLayer(layer, 'ja').lines > 1);
  t.end();
});
