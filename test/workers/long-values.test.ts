import type { Template } from '#language/schema/template.ts';
import t from 'tap';
import type { DisplayItem } from '../../workers/display-list.ts';
import { layoutScene } from '../../workers/layout/layout.ts';
import { bindScene } from '../../workers/bind-scene.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

const names = ['p', 'q', 'r', 's'];
const all = '{{p}}{{q}}{{r}}{{s}}!';

/** A layer laid out with four values of 2,000 code points, each made of one of `letters`. */
function layout(
  layer: Record<string, unknown>,
  letters: readonly string[] = names,
): { item: DisplayItem | undefined; warnings: string[] } {
  const variables = names.map((name) => aVariable(name, 'text', `default ${name}`));
  const document = aTemplate({ variables, layers: [layer] });
  t.same(problemsOf(document), [], 'the document is valid');
  const values = names.map((name, index): [string, string] => [
    name,
    (letters[index] ?? '').repeat(2000),
  ]);
  const scene = bindScene(document as unknown as Template, new Map(values));
  const { displayList, warnings } = layoutScene(scene, new Map());
  return { item: displayList.items[0], warnings: warnings.map(({ code }) => code) };
}

function textOf(item: DisplayItem | undefined): string {
  const content = item?.content;
  return content?.kind === 'text' ? content.runs.map(({ text }) => text).join('') : '';
}

t.test('a text of long values is cut and never replaced by defaults', (t) => {
  const look = { overflow: 'visible', width: 10_000, fontSize: 10 };
  for (const content of [{ text: all }, { spans: [{ text: all }, { text: 'end' }] }]) {
    const { item, warnings } = layout(aLayer('text', { ...look, ...content }));
    t.equal(textOf(item), 'p'.repeat(2000) + 'q'.repeat(500));
    t.same(warnings, ['TEXT_TRUNCATED']);
  }
  t.end();
});

t.test('a text is cut at the same count in every script and look', (t) => {
  const look = { overflow: 'visible', width: 10_000, fontSize: 10 };
  for (const more of [{}, { letterSpacing: 1 }, { letterSpacing: 1, balance: true }]) {
    for (const letters of [
      ['漢', '字'],
      ['a', 'b'],
    ]) {
      const { item, warnings } = layout(aLayer('text', { text: all, ...look, ...more }), letters);
      const [first = '', second = ''] = letters;
      t.equal(textOf(item).replaceAll(/\s/g, ''), first.repeat(2000) + second.repeat(500));
      t.same(warnings, ['TEXT_TRUNCATED']);
    }
  }
  t.end();
});

t.test('a code of long values is left out and never one of the defaults', (t) => {
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
  t.end();
});
