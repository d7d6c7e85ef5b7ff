import { bindText } from '#language/bind/bindings.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../../fixtures/template-documents.ts';

/** As many text variables, and layers with as many bindings of each. */
function documentOf(
  count: number,
  formats: readonly string[],
  properties: Record<string, unknown> = {},
): unknown {
  return aTemplate({
    variables: Array.from({ length: count }, (_, index) =>
      aVariable(`v${index}`, 'text', '', properties),
    ),
    layers: Array.from({ length: count }, (_, index) => {
      const text = formats.map((format) => `{{v${index} | ${format}}}`).join(' ');
      return aLayer('text', { id: `l${index}`, text, visible: false });
    }),
  });
}

t.test('what real templates ask of formats is taken', async (t) => {
  const short = { maxLength: 40 };
  t.same(problemsOf(documentOf(30, ['name | default:friend', 'upper', 'initials'], short)), []);
  const numbers = ['number', 'currency:EUR', 'percent', 'plural:one,#,other,#', 'pad:3'];
  t.same(problemsOf(documentOf(20, numbers, short)), []);
  const same = Array.from({ length: 10 }, () => 'name | title | name | truncate:99 | name');
  t.same(problemsOf(documentOf(4, same)), [], 'a binding again costs nothing');
});

t.test('formats that would take seconds are refused, with what to correct', async (t) => {
  const chain = (index: number): string => `name | name | name | truncate:${1999 - index} | name`;
  const chains = [0, 1, 2, 3, 4].map(chain);
  t.match(problemsOf(documentOf(4, chains)), [
    /^layers have formats that take up to \d+ ms with their longest values, the limit is 50 \(\{\{v3 \| name .*\}\} most of them\): use fewer formats, or give the variables a maxLength, "v0", "v1", "v2" first$/,
  ]);
  t.same(problemsOf(documentOf(4, chains, { maxLength: 100 })), []);
  const layers = Array.from({ length: 30 }, (_, index) => {
    const visibleWhen = { variable: 'v0', oneOf: [`{{v0 | ${chain(index)}}}`] };
    return aLayer('rect', { id: `r${index}`, visibleWhen });
  });
  const variables = [aVariable('v0', 'text', '')];
  t.match(problemsOf(aTemplate({ variables, layers })), [/^layers have formats/]);
});

t.test('a value is formatted once, however often it is bound', async (t) => {
  const context = { lang: 'en', documentLang: 'en', timeMs: 0, problems: [] };
  const values = new Map([['v', 'JANE of this test']]);
  const { name } = valueFormats;
  let written = 0;
  const prepare = name?.prepare;
  if (name === undefined || prepare === undefined) throw new Error('There is no format name.');
  t.intercept(name, 'prepare', {
    value: (argument: string) => {
      const prepared = prepare(argument);
      if (prepared === undefined) return undefined;
      const write = (...args: Parameters<typeof prepared.write>): string | undefined => {
        written += 1;
        return prepared.write(...args);
      };
      return { ...prepared, write };
    },
  });
  const text = '{{v | name | upper}}';
  t.equal(bindText(text.repeat(100), values, context), 'JANE OF THIS TEST'.repeat(100));
  t.equal(written, 1);
});
