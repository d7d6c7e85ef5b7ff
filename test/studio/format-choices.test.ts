import t from 'tap';
import type { VariableType } from '#language/schema/template.ts';
import { formatChoices, withFormats } from '../../src/studio/panels/variables/format-choices.ts';
import { bindingAt } from '../../src/studio/panels/variables/variables.ts';
import { validTemplate } from '../helpers/render.ts';

const document = validTemplate({
  format: 1,
  name: 'T',
  width: 100,
  height: 100,
  variables: [],
  layers: [],
});

function shown(type: VariableType, value: string, formats = '', lang = 'en'): string[] {
  const choices = formatChoices({ ...document, lang }, { type, value }, formats);
  return choices.map((choice) => (choice.isChosen ? `*${choice.shown}` : choice.shown));
}

t.test('formats are chosen by what they make of the sample value', (t) => {
  t.same(shown('number', '1234.5'), [
    '*1234.5',
    '1,234.5',
    '1,234.50',
    '1,235',
    '€1,234.50',
    '$1,234.50',
    '£1,234.50',
    '€1,235',
    '123,450%',
  ]);
  const dates = shown('date', '2026-11-12', 'date:long');
  t.equal(dates[0], '2026-11-12');
  t.ok(dates.includes('11/12/26'));
  t.ok(dates.includes('*November 12, 2026'));
  t.notOk(dates.includes('12:00 AM'), 'a date without a time has none');
  t.ok(shown('date', '2026-11-12', '', 'de').includes('12. November 2026'), 'in its language');
  t.same(shown('text', 'amanda SMITH'), [
    '*amanda SMITH',
    'AMANDA SMITH',
    'amanda smith',
    'Amanda Smith',
    'AS',
  ]);
  t.ok(shown('text', '12.5').includes('€12.50'), 'a text that is a number');
  t.ok(shown('text', '2026-11-12').includes('November 12, 2026'), 'a text that is a date');
  t.ok(shown('number', '').includes('€1,299.50'), 'an empty sample has an example');
  t.end();
});

t.test('formats that somebody wrote stay to be chosen, and a default stays', (t) => {
  t.ok(shown('number', '7', 'number:3 | default:none').includes('*7.000'));
  t.equal(withFormats('price', 'currency:EUR'), 'price | currency:EUR');
  t.equal(withFormats('price | number:2 | default:free', ''), 'price | default:free');
  t.equal(withFormats('price | upper | default:free', 'lower'), 'price | lower | default:free');
  t.end();
});

t.test('a selection in a binding, or of it, is at that binding', (t) => {
  const text = 'Pay {{price | number}} to {{name}}';
  const price = { source: 'price | number', from: 4, to: 22 };
  t.same(bindingAt(text, [7, 7]), price);
  t.same(bindingAt(text, [4, 22]), price);
  t.equal(bindingAt(text, [4, 4]), undefined, 'before it');
  t.equal(bindingAt(text, [22, 22]), undefined, 'behind it');
  t.equal(bindingAt(text, [2, 9]), undefined);
  t.end();
});
