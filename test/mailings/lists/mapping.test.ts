import t from 'tap';
import { proposeMapping, type MappableVariable } from '../../../src/mailings/lists/mapping.ts';

function text(name: string): MappableVariable {
  return { name, type: 'text' };
}

t.test('equal names win over names in another spelling, and these over synonyms', async (t) => {
  const columns = ['FNAME', 'First Name', 'first_name', 'x'];
  t.same(proposeMapping(columns, [text('first_name')]), {
    mappings: [{ variable: 'first_name', match: 'exact', column: 'first_name' }],
    unmappedColumns: ['FNAME', 'First Name', 'x'],
    variablesWithoutColumn: [],
  });
  const alike = proposeMapping(['FNAME', 'First Name'], [text('first_name')]);
  t.match(alike.mappings, [{ match: 'alike', column: 'First Name' }]);
  const synonym = proposeMapping(['x', 'FNAME'], [text('first_name')]);
  t.match(synonym.mappings, [{ match: 'synonym', column: 'FNAME' }]);
});

t.test('names are found in other spellings and languages', async (t) => {
  const pairs: [column: string, variable: string][] = [
    ['Vorname', 'first_name'],
    ['Prénom', 'firstName'],
    ['*|FNAME|*', 'first-name'],
    ['{{ subscriber.first_name }}', 'subscriber_first_name'],
    ['Straße', 'strasse'],
    ['E-Mail', 'email'],
    ['PLZ', 'zip'],
    ['Imię', 'first_name'],
    ['氏名', 'name'],
    ['名', 'first_name'],
    ['Имя', 'first_name'],
    ['Ｎａｍｅ', 'name'],
  ];
  for (const [column, variable] of pairs) {
    const { mappings } = proposeMapping([column], [text(variable)]);
    t.match(mappings, [{ variable, column }], `${column} → ${variable}`);
  }
});

t.test('a first name serves for a name where the list has no other, and not the reverse', (t) => {
  const columns = ['Nachname', 'Vorname'];
  t.match(proposeMapping(columns, [text('name')]).mappings, [{ match: 'part', column: 'Vorname' }]);
  const full = proposeMapping([...columns, 'Full Name'], [text('name')]);
  t.match(full.mappings, [{ match: 'synonym', column: 'Full Name' }]);
  t.same(proposeMapping(['Name'], [text('first_name')]).mappings, []);
  t.end();
});

t.test('a column goes to one variable, and what is left is named', async (t) => {
  const proposal = proposeMapping(['Name', 'City'], [text('name'), text('full_name'), text('age')]);
  t.same(proposal, {
    mappings: [{ variable: 'name', match: 'alike', column: 'Name' }],
    unmappedColumns: ['City'],
    variablesWithoutColumn: ['full_name', 'age'],
  });
  // Names without a letter, and names that every object has, are no match.
  t.same(proposeMapping(['--', 'constructor'], [text('__'), text('toString')]).mappings, []);
});

t.test('a list takes numbered columns, or one column of JSON', async (t) => {
  const fields = [{ name: 'title' }, { name: 'price' }];
  const items: MappableVariable = { name: 'items', type: 'list', fields };
  const columns = ['Items[1].Title', 'items.0.title', 'items.0.price', 'items.0.color', 'items'];
  t.same(proposeMapping(columns, [items]), {
    mappings: [
      {
        variable: 'items',
        match: 'exact',
        items: [
          [
            { field: 'title', column: 'items.0.title' },
            { field: 'price', column: 'items.0.price' },
          ],
          [{ field: 'title', column: 'Items[1].Title' }],
        ],
      },
    ],
    unmappedColumns: ['items.0.color', 'items'],
    variablesWithoutColumn: [],
  });
  t.match(proposeMapping(['Items'], [items]).mappings, [{ variable: 'items', column: 'Items' }]);
});

t.test('each name is normalized once, however many it is compared with', async (t) => {
  const names = Array.from({ length: 50 }, (_, index) => `Größe ${index}`);
  const columns = names.map((name) => `${name}.0.x`);
  const normalize = t.capture(String.prototype, 'normalize', function plain(this: unknown) {
    return String(this);
  });
  proposeMapping(columns, [...names.map(text), { name: 'Liste', type: 'list', fields: [] }]);
  t.equal(normalize().length, new Set([...names, ...columns, 'Liste']).size);
});
