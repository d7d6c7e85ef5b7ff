/** Binds values in a text layer and lays it out on one line, to read the order of its letters. */
import { resolveLayers } from '#language/bind/layers.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { Template } from '#language/schema/template.ts';
import type { TextRun } from '../../workers/display-list.ts';
import { layoutText, paintedText, textLayer, textScene } from './text.ts';

const box = { x: 0, y: 0, width: 3000, height: 100 };

/** A text layer with values. `{{v0}}`, `{{v1}}` … have the values. */
export function boundText(rest: Partial<TextLayer>, values: readonly string[]): TextLayer {
  const template = {
    format: 1,
    name: 'order',
    width: 3000,
    height: 100,
    variables: values.map((_, index) => ({ name: `v${index}`, type: 'text', value: 'x' })),
    layers: [textLayer('', { ...box, ...rest })],
  } as unknown as Template;
  const bound = new Map(values.map((value, index) => [`v${index}`, value]));
  const [layer] = resolveLayers(template, bound).layers;
  if (layer?.type !== 'text') throw new TypeError('expected a text layer');
  return layer;
}

/** The runs of a layer line by line, each from left to right. */
export function drawnRuns(
  rest: Partial<TextLayer>,
  values: readonly string[],
  lang = 'en',
): TextRun[] {
  const { runs } = paintedText(layoutText(boundText(rest, values), box, textScene(lang)));
  return runs.toSorted((a, b) => a.y - b.y || a.x - b.x);
}

/** The graphemes of a layer from left to right, without spaces. */
export function drawnOrder(
  rest: Partial<TextLayer>,
  values: readonly string[],
  lang = 'en',
): string {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'grapheme' });
  return drawnRuns(rest, values, lang)
    .flatMap(({ text, direction }) => {
      const graphemes = [...segmenter.segment(text)].map(({ segment }) => segment);
      return direction === 'rtl' ? graphemes.toReversed() : graphemes;
    })
    .join('')
    .replaceAll(/\s/g, '');
}
