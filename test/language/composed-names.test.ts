/** Names of a document in both normal forms of Unicode: each form is the same name, wherever it stands. */
import { checkTemplate } from '#language/template.ts';
import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

const name = 'prénom';
const decomposed = name.normalize('NFD');

/** A document that names a variable, a list and its field in each property that takes a name. */
function documentWith(declared: string, used: string): Record<string, unknown> {
  const list = {
    name: `${declared}s`,
    type: 'list',
    fields: [{ name: declared, type: 'text', value: '' }],
    value: [{ [used]: 'Zoé'.normalize('NFD') }],
  };
  const cell = { ...aVariable('cell', 'text', ''), from: `members.{{${used}}}.${used}` };
  const piece = { id: 'piece', type: 'text', text: `{{item.${used}}}`, width: 50, height: 10 };
  return aTemplate({
    alt: `{{ ${used} | upper }}`,
    variables: [
      { ...aVariable(declared, 'text', 'Zoé'.normalize('NFD')), maxLength: 20 },
      list,
      cell,
    ],
    layers: [
      aLayer('text', {
        visibleWhen: { variable: used, equals: `{{${used}}}` },
        spans: [
          { text: `é`.normalize('NFD') },
          { text: `{{${used}}}`, visibleWhen: { variable: used } },
        ],
      }),
      aLayer('qr', { id: 'code', value: `{{${used} | default:${decomposed}}}` }),
      aLayer('stack', { id: 'rows', repeat: { list: `${used}s` }, layers: [piece] }),
    ],
    animation: { type: 'values', frames: [{ values: { [used]: 'Ana' }, seconds: 1 }] },
  });
}

t.test('a document may write a name in any form, and keeps the composed one', async (t) => {
  const plain = checkTemplate(documentWith(name, name));
  t.ok(plain.ok && plain.template, 'the composed document is valid');
  for (const declared of [name, decomposed])
    for (const used of [name, decomposed])
      t.same(checkTemplate(documentWith(declared, used)), plain);
  const same = documentWith(name, name);
  const checked = checkTemplate(same);
  t.equal(checked.ok && checked.template, same, 'a document of composed names is the same object');
  t.match(JSON.stringify(plain), 'Zoé'.normalize('NFD'), 'other text keeps its form');
});

t.test('two names that differ in their form are one', async (t) => {
  const variables = [name, decomposed].map((each) => aVariable(each, 'text', ''));
  t.same(problemsOf(aTemplate({ variables })), [
    'variables[1].name is "prénom" again, expected a unique one',
  ]);
});
