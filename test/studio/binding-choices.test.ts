/** Bindings in texts: what is offered at a caret, what is written, and the formats to choose from. */
import t from 'tap';
import { bindingsIn } from '#language/bind/bindings.ts';
import type { Variable, VariableType } from '#language/schema/template.ts';
import { compileBinding } from '#language/values/formatted-binding.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import { complete, completionAt } from '../../src/studio/panels/variables/completion.ts';
import { formatChoices, withFormats } from '../../src/studio/panels/variables/format-choices.ts';
import { bindingAt } from '../../src/studio/panels/variables/variables.ts';
import { documentOf, listOf } from './documents.ts';

const items: Variable = listOf('items', { title: ['text', ''] }, [{ title: 'Tea' }]);
const variables: Variable[] = [
  { name: 'item.title', type: 'text', value: '' },
  { name: 'name', type: 'text', value: 'Ada' },
  { name: 'number', type: 'number', value: '5' },
  items,
];

const completionIn = (marked: string): ReturnType<typeof completionAt> =>
  completionAt(marked.replace('^', ''), marked.indexOf('^'), variables);

/** Texts that are offered where `^` stands. */
const offered = (marked: string): string[] =>
  completionIn(marked)?.offers.map((offer) => offer.text) ?? [];

/** The text after the first offer is taken where `^` stands, with the selection between brackets. */
function taken(marked: string, choice = 0): string {
  const text = marked.replace('^', '');
  const found = completionIn(marked);
  const offer = found?.offers[choice];
  if (found === undefined || offer === undefined) return text;
  const { text: written, selection } = complete(text, found, offer);
  const [from, to] = selection;
  return `${written.slice(0, from)}[${written.slice(from, to)}]${written.slice(to)}`;
}

t.test('variables and fields of items are offered after two braces, and no list', async (t) => {
  t.same(offered('{{^'), ['item.title', 'name', 'number']);
  t.same(offered('Hello {{na^ and {{number}}'), ['name', 'na'], 'a new name comes last');
  t.same(offered('{{ N^'), ['name', 'number', 'N']);
  t.same(offered('{{ti^'), ['item.title', 'ti'], 'without item.');
  t.same(offered('{{x^'), ['x']);
  for (const none of ['^', 'na^', '{na^', '{{name}} na^', '{{name^', '{{items^', '{{a\n^', '{^{']) {
    t.same(offered(none), [], none);
  }
});

t.test('all formats are offered after a bar, each with an argument that is right', async (t) => {
  t.equal(offered('{{number | ^').length, Object.keys(valueFormats).length);
  t.same(offered('{{number|cu^'), ['currency:EUR']);
  t.same(offered('{{name | name | up^'), ['upper']);
  for (const offer of offered('{{number | ^')) {
    t.equal(compileBinding(`number | ${offer}`).problem, undefined, offer);
  }
});

t.test('what is taken is a whole binding, and an argument is ready to be typed over', async (t) => {
  t.equal(taken('Hello {{na^'), 'Hello {{name}}[]');
  t.equal(taken('Hello {{na^}}, you'), 'Hello {{name[]}}, you');
  t.equal(taken('{{na^ | upper}}'), '{{name[] | upper}}');
  t.equal(taken('{{number | cu^ left'), '{{number | currency:[EUR]}} left');
  t.equal(taken('{{name | up^'), '{{name | upper}}[]');
  for (const [index] of offered('{{number | ^').entries()) {
    const written = taken('a {{number | ^ b', index).replaceAll(/[[\]]/g, '');
    t.equal(bindingsIn(written).length, 1, written);
  }
});

/** Formats to choose from as their values are shown, the chosen one after a star, between bars. */
function shown(type: VariableType, value: string, formats = '', lang = 'en'): string {
  const choices = formatChoices(documentOf([], { lang }), { type, value }, formats);
  const all = choices.map((choice) => (choice.isChosen ? `*${choice.shown}` : choice.shown));
  return `|${all.join('|')}|`;
}

t.test('formats are chosen by what they make of the sample value', async (t) => {
  const numbers = '1,234.5|1,234.50|1,235|€1,234.50|$1,234.50|£1,234.50|€1,235|123,450%';
  t.equal(shown('number', '1234.5'), `|*1234.5|${numbers}|`);
  const dates = shown('date', '2026-11-12', 'date:long');
  t.match(dates, /^\|2026-11-12\|/);
  t.match(dates, '|11/12/26|');
  t.match(dates, '|*November 12, 2026|');
  t.notMatch(dates, '12:00 AM', 'a date without a time has none');
  t.match(shown('date', '2026-11-12', '', 'de'), '|12. November 2026|', 'in its language');
  const texts = 'AMANDA SMITH|amanda smith|Amanda Smith|AS';
  t.equal(shown('text', 'amanda SMITH'), `|*amanda SMITH|${texts}|`);
  t.match(shown('text', '12.5'), '|€12.50|', 'a text that is a number');
  t.match(shown('text', '2026-11-12'), '|November 12, 2026|', 'a text that is a date');
  t.match(shown('number', ''), '|€1,299.50|', 'an empty sample has an example');
});

t.test('formats that somebody wrote stay to be chosen, and a default stays', async (t) => {
  t.match(shown('number', '7', 'number:3 | default:none'), '|*7.000|');
  t.equal(withFormats('price', 'currency:EUR'), 'price | currency:EUR');
  t.equal(withFormats('price | number:2 | default:free', ''), 'price | default:free');
  t.equal(withFormats('price | upper | default:free', 'lower'), 'price | lower | default:free');
});

t.test('a selection in a binding, or of it, is at that binding', async (t) => {
  const text = 'Pay {{price | number}} to {{name}}';
  const price = { source: 'price | number', from: 4, to: 22 };
  t.same(bindingAt(text, [7, 7]), price);
  t.same(bindingAt(text, [4, 22]), price);
  t.equal(bindingAt(text, [4, 4]), undefined, 'before it');
  t.equal(bindingAt(text, [22, 22]), undefined, 'behind it');
  t.equal(bindingAt(text, [2, 9]), undefined);
});
