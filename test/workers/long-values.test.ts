import t from 'tap';
import type { DisplayItem } from '../../workers/display-list.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { validTemplate } from '../helpers/render.ts';

const { layoutScene } = await import('../../workers/layout/layout.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');

const names = ['p', 'q', 'r', 's'];
const all = '{{p}}{{q}}{{r}}{{s}}!';

/** A layer laid out with four values of 2,000 code points, each made of one of `letters`. */
function layout(
  layer: Record<string, unknown>,
  letters: readonly string[] = names,
): { item: DisplayItem | undefined; warnings: string[] } {
  const variables = names.map((name) => aVariable(name, 'text', `default ${name}`));
  const template = validTemplate(aTemplate({ variables, layers: [layer] }));
  const values = names.map((name, index) => [name, (letters[index] ?? '').repeat(2000)] as const);
  const { displayList, warnings } = layoutScene(bindScene(template, new Map(values)), new Map());
  return { item: displayList.items[0], warnings: warnings.map(({ code }) => code) };
}

function textOf(item: DisplayItem | undefined): string {
  const content = item?.content;
  return content?.kind === 'text' ? content.runs.map(({ text }) => text).join('') : '';
}

t.test('a text of long values is cut at one count in every script and look', async (t) => {
  const look = { overflow: 'visible', width: 10_000, fontSize: 10 };
  for (const content of [
    { text: all },
    { spans: [{ text: all }, { text: 'end' }] },
    { text: all, letterSpacing: 1 },
    { text: all, letterSpacing: 1, balance: true },
  ]) {
    for (const letters of ['漢字', 'ab']) {
      const [first = '', second = ''] = letters;
      const layer = aLayer('text', { ...look, ...content });
      const { item, warnings } = layout(layer, [first, second]);
      t.equal(textOf(item).replaceAll(/\s/g, ''), first.repeat(2000) + second.repeat(500));
      t.same(warnings, ['TEXT_TRUNCATED']);
    }
  }
});

t.test('a code of long values is left out and never one of the defaults', async (t) => {
  const size = { width: 100, height: 100, value: all };
  for (const layer of [
    aLayer('qr', size),
    aLayer('barcode', { ...size, kind: 'code128' }),
    aLayer('barcode', { ...size, kind: 'azteccode' }),
  ]) {
    const { item, warnings } = layout(layer);
    t.equal(item, undefined);
    t.same(warnings, ['CODE_FAILED']);
  }
});
