import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  plainVariables as variables,
  problemsOf,
  resolveValid as resolve,
} from '../fixtures/template-documents.ts';

t.test('a condition compares with texts and with other variables', (t) => {
  const shown = (condition: unknown, values: Record<string, string>): boolean => {
    const layers = [aLayer('rect', { visibleWhen: condition })];
    return resolve(aTemplate({ variables, layers }), values).layers.length === 1;
  };
  t.ok(shown({ variable: 'name', equals: '{{c}}' }, { name: '#ff0000' }));
  t.ok(shown({ variable: 'name', oneOf: ['x', '{{c}}'] }, { name: '#ff0000' }));
  t.notOk(shown({ variable: 'name', oneOf: ['x', '{{c}}'] }, { name: '#ff0001' }));
  t.ok(shown({ variable: 'n', oneOf: ['1', ''] }, { n: '' }));
  t.notOk(shown({ variable: 'name', notEquals: '{{c}}' }, { name: '#ff0000' }));
  t.ok(
    shown(
      [
        { variable: 'n', greaterThan: 4 },
        { variable: 'n', lessThan: 6 },
      ],
      {},
    ),
  );
  t.notOk(shown({ variable: 'n', greaterThan: -1 }, { n: '' }), 'nothing is no number');
  t.ok(shown([], {}), 'no condition holds');
  t.end();
});

t.test('a condition compares values as what their variable is', (t) => {
  const declared = [
    aVariable('c', 'color', '#FF0000'),
    aVariable('n', 'number', '5.0'),
    aVariable('b', 'boolean', 'true'),
    aVariable('x', 'text', '5.0'),
  ];
  const shown = (condition: unknown, values: Record<string, string> = {}): boolean => {
    const layers = [aLayer('rect', { visibleWhen: condition })];
    return resolve(aTemplate({ variables: declared, layers }), values).layers.length === 1;
  };
  for (const equals of ['#FF0000', '#ff0000', '#F00', '#f00f', '#FF0000ff']) {
    t.ok(shown({ variable: 'c', equals }), equals);
    t.ok(shown({ variable: 'c', oneOf: ['#123', equals] }, { c: '#ff0000' }));
    t.notOk(shown({ variable: 'c', notEquals: equals }, { c: '#f00' }));
  }
  t.notOk(shown({ variable: 'c', equals: '#ff000080' }));
  for (const equals of ['5', '5.0', '+5', '05']) {
    t.ok(shown({ variable: 'n', equals }), equals);
    t.ok(shown({ variable: 'n', equals }, { n: '5' }));
  }
  t.ok(shown({ variable: 'n', equals: '-0' }, { n: '0' }));
  t.notOk(shown({ variable: 'n', equals: '5.01' }));
  for (const b of ['true', 'YES', '1']) t.ok(shown({ variable: 'b', equals: 'true' }, { b }), b);
  t.ok(shown({ variable: 'b', notEquals: 'true' }, { b: 'off' }));
  t.notOk(shown({ variable: 'x', equals: '5' }), 'a text is compared letter by letter');
  t.end();
});

t.test('a condition that can never hold is refused', (t) => {
  const declared = [
    aVariable('c', 'color', '#ff0000'),
    { ...aVariable('n', 'number', '5'), max: 9 },
    aVariable('b', 'boolean', 'true'),
    { ...aVariable('x', 'text', ''), maxLength: 3 },
  ];
  const problem = (visibleWhen: unknown): string[] =>
    problemsOf(aTemplate({ variables: declared, layers: [aLayer('rect', { visibleWhen })] }));
  t.same(problem({ variable: 'b', equals: 'yes' }), [
    'layers[0].visibleWhen.equals is "yes", expected "true" or "false": "b" has no other values',
  ]);
  t.match(problem([{ variable: 'n', oneOf: ['5', 'five'] }]), [
    /^layers\[0\]\.visibleWhen\[0\]\.oneOf\[1\] is "five", expected a number of at most 9/,
  ]);
  t.match(problem({ variable: 'n', notEquals: '10' }), [
    /notEquals is "10", expected a number of at/,
  ]);
  t.match(problem({ variable: 'c', equals: 'red' }), [/equals is "red", expected a colour/]);
  t.match(problem({ variable: 'x', equals: 'abcd' }), [/equals has 4 characters, the limit is 3/]);
  t.same(problem({ variable: 'b', equals: '{{x}}' }), [], 'another value may be anything');
  t.same(problem({ variable: 'n', oneOf: ['5', ''] }), [], 'and any value be empty');
  t.end();
});
