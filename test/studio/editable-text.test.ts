import fc from 'fast-check';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import type { TextLayer } from '#language/schema/text.ts';
import { checkTemplate } from '#language/template.ts';
import {
  isEditedAside,
  spansToEdit,
  textOf,
  textTarget,
  typeIntoSpans,
} from '../../src/studio/canvas/text/editable-text.ts';
import { documentOf } from './documents.ts';
import { withShownBindings } from '../../src/studio/canvas/stage/follow-typing.ts';

const box = { x: 0, y: 0, width: 100, height: 40 };
const layer = (more: Partial<TextLayer>) => ({
  id: 'title',
  type: 'text' as const,
  ...box,
  ...more,
});
const name = { name: 'name', type: 'text', value: 'friend' };
const document = (title: TextLayer): Template =>
  documentOf([title], { variables: [name, { name: 'total', type: 'number', value: '5' }] });

t.test('of a text that is one variable alone the value that shows is edited', async (t) => {
  const kindOf = (text: TextLayer, isText = false, values = {}): string =>
    textTarget(document(text), text, isText, values).kind;
  t.equal(kindOf(layer({ text: ' {{name}} ' })), 'default');
  t.equal(kindOf(layer({ spans: [{ text: '{{name}}' }] })), 'default');
  t.equal(kindOf(layer({ text: '{{name}}' }), false, { name: 'Zoë' }), 'sample');
  t.equal(kindOf(layer({ text: '{{name}}' }), false, { other: 'Zoë' }), 'default');
  t.equal(kindOf(layer({ text: '{{name}}' }), true), 'text', 'unless the text itself is wanted');
  t.equal(kindOf(layer({ text: 'Hi {{name}}' })), 'text');
  t.equal(kindOf(layer({ text: '{{nobody}}' })), 'text', 'which no variable sets');
  t.equal(kindOf(layer({ text: '{{total}}' })), 'text', 'a number is not typed as text');
});

t.test('what is typed into spans takes the look of where it is typed', async (t) => {
  const spans = [{ text: 'Hello ' }, { text: '{{name}}', fontWeight: 700 }, { text: '!' }];
  const typed = (text: string): string[] => typeIntoSpans(spans, text).map((span) => span.text);
  t.same(typed('Hello dear {{name}}!'), ['Hello dear ', '{{name}}', '!'], 'at the end of a span');
  t.same(typed('Hello {{first}}!'), ['Hello ', '{{first}}', '!'], 'inside of one');
  t.same(typed('Hello {{name}}! Bye'), ['Hello ', '{{name}}', '! Bye'], 'at the end of all');
  t.same(typed('Good day {{name}}!'), ['Good day ', '{{name}}', '!'], 'at the beginning');
  t.same(typed('Hello!'), ['Hello', '!'], 'a span of which nothing is left goes');
  t.same(typed('Bye'), ['Bye'], 'over all of them');
  t.same(typed(''), [''], 'nothing leaves one empty span');
});

t.test('spans say together what was typed, whatever it is', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
  const spans = fc.array(fc.record({ text }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(spans, text, (before, typed) => {
      return textOf({ spans: typeIntoSpans(before, typed) }) === typed;
    }),
  );
});

t.test('bindings are shown as they are written while they are typed', async (t) => {
  for (const text of [layer({ text: 'Hi {{name}}' }), layer({ spans: [{ text: '{{name}}' }] })]) {
    const before = document(text);
    const shown = withShownBindings(before, text);
    const [title] = shown.layers;
    if (title?.type !== 'text') throw new Error('no text');
    t.equal(textOf(title).replaceAll('\u2060', ''), textOf(text));
    t.notMatch(textOf(title), /\{\{|\}\}/);
    t.ok(checkTemplate(shown).ok, 'and are no bindings any more');
    t.equal(before.layers[0], text, 'the document itself is left alone');
  }
  const typed = layer({ text: 'Hi {{name|b:}}' });
  const [title] = withShownBindings(document(layer({ text: 'Hi {{name}}' })), typed).layers;
  t.match(title, { text: 'Hi {\u2060{name|b:}\u2060}' }, 'unfinished ones, too');
});

t.test('a field lies over every text that a browser sets in the same lines', async (t) => {
  const isAside = (more: Partial<TextLayer>): boolean =>
    isEditedAside(layer({ text: 'a', ...more }));
  t.notOk(isAside({ transform: 'uppercase' }));
  t.notOk(isAside({ spans: [{ text: 'a' }] }));
  t.notOk(isAside({ balance: true }));
  t.notOk(isAside({ paragraphSpacing: 0 }));
  t.ok(isAside({ balance: true, linePill: { fill: '#ffffff' } }));
  t.ok(isAside({ overflow: 'ellipsis' }));
  t.ok(isAside({ paragraphSpacing: 8 }));
  t.ok(isAside({ tabStops: [{ at: 9 }] }));
});

t.test('a sample value is shown in the look of the span of its variable', async (t) => {
  const spans = [{ text: ' ' }, { text: '{{name}}', fontWeight: 700 }];
  const text = layer({ spans });
  const target = textTarget(document(text), text, false, { name: 'Ada' });
  t.same(spansToEdit(text, target, 'Zoë'), [{ text: 'Zoë', fontWeight: 700 }]);
  t.same(spansToEdit(text, { kind: 'text' }, ' {{name}}'), spans);
});
