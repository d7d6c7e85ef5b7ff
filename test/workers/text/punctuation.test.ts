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

t.test('dots in the middle of their squares and other directions stay whole', async (t) => {
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
});

t.test('a text of marks alone is laid out in bounded work', async (t) => {
  const layer = textLayer('「」'.repeat(1250), { ...start, fontFamily: 'Noto Sans JP' });
  t.ok(layoutLayer(layer, 'ja').lines > 1);
});
