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

t.test('a question that was asked before is answered for the values of now', (t) => {
  const declared = [aVariable('x', 'text', 'a'), aVariable('d', 'date', '2026-01-01')];
  const resolveFor = (condition: unknown) => {
    const layers = [aLayer('rect', { visibleWhen: condition })];
    const document = aTemplate({ variables: declared, layers });
    return (values: Record<string, string>): boolean =>
      resolve(document, values).layers.length === 1;
  };
  const folded = resolveFor({ variable: 'x', oneOf: ['STRASSE', 'b'], ignoreCase: true });
  t.same([{ x: 'straße' }, { x: 'c' }, { x: 'B' }].map(folded), [true, false, true]);
  const later = resolveFor({ variable: 'd', greaterThan: '2026-02-01' });
  t.same([{ d: '2026-03-01' }, { d: '2026-01-01' }, { d: 'x' }].map(later), [true, false, false]);
  t.end();
});

t.test('the conditions of all frames have a size', (t) => {
  const oneOf = Array.from({ length: 50 }, (_, index) => `text ${index}`);
  const aDocument = (frames: number, rest: object, variable: object = {}): object =>
    aTemplate({
      variables: [{ ...aVariable('x', 'text', 'a'), ...variable }, aVariable('n', 'number', '1')],
      animation: {
        type: 'values',
        frames: Array.from({ length: frames }, (_, index) => ({
          values: { n: String(index) },
          seconds: 0.1,
        })),
      },
      layers: Array.from({ length: 70 }, (_, index) =>
        aLayer('rect', { id: `r${index}`, visibleWhen: { variable: 'x', oneOf, ...rest } }),
      ),
    });
  t.same(problemsOf(aDocument(100, {})), []);
  t.match(problemsOf(aDocument(120, {})), [
    /^layers have 4\d{6} characters of conditions in 120 frames/,
  ]);
  const images = (frames: number): string[] => {
    const layers = Array.from({ length: 100 }, (_, index) =>
      aLayer('image', { id: `i${index}`, src: 'https://example.com/{{x}}.png' }),
    );
    return problemsOf({ ...aDocument(frames, {}), layers });
  };
  t.same(images(100), []);
  t.match(images(101), [/^layers show 100 images that depend on values, 10100 in 101/]);
  t.match(problemsOf(aDocument(90, { equals: '{{n}}' })), [
    /characters of conditions in 90 frames/,
  ]);
  t.end();
});
