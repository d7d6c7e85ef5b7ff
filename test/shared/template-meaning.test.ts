import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

const svg = (inside: string): unknown =>
  aTemplate({ layers: [aLayer('svg', { svg: `<svg viewBox="0 0 9 9">${inside}</svg>` })] });

t.test('names and ids are unique, through all groups', (t) => {
  const variables = [aVariable('a', 'text', ''), aVariable('a', 'color', '#fff')];
  const layers = [aLayer('group', { layers: [aLayer('rect')] })];
  t.same(problemsOf(aTemplate({ variables, layers })), [
    'layers[0].layers[0].id is "a" again, expected a unique one',
    'variables[1].name is "a" again, expected a unique one',
  ]);
  t.end();
});

t.test('a binding leads to a variable', (t) => {
  const layers = [
    aLayer('text', {
      text: 'Hi {{name}} {{ other }}',
      visibleWhen: { variable: 'vip', set: true },
    }),
    aLayer('rect', {
      id: 'b',
      fill: {
        gradient: 'linear',
        stops: [
          { offset: 0, color: '{{c}}' },
          { offset: 1, color: '#fff' },
        ],
      },
    }),
  ];
  const variables = [aVariable('name', 'text', 'Amanda')];
  t.same(problemsOf(aTemplate({ variables, layers, background: '{{ground}}' })), [
    'background binds {{ground}}, but the template has no variable of that name',
    'layers[0].text binds {{other}}, but the template has no variable of that name',
    'layers[0].visibleWhen names "vip", but the template has no variable of that name',
    'layers[1].fill.stops[0].color binds {{c}}, but the template has no variable of that name',
  ]);
  t.end();
});

t.test('a mask is another layer of the same group, and masks run in no circle', (t) => {
  const masked = (...masks: [id: string, mask: string][]): unknown =>
    aTemplate({ layers: masks.map(([id, mask]) => aLayer('rect', { id, mask })) });
  const elsewhere = 'expected the id of another layer in the same group';
  t.same(problemsOf(masked(['a', 'a'])), [`layers[0].mask is "a", ${elsewhere}`]);
  t.same(problemsOf(masked(['a', 'nobody'])), [`layers[0].mask is "nobody", ${elsewhere}`]);
  const circle = (id: string): string =>
    `is "${id}", which this layer masks in turn; break the circle`;
  t.same(problemsOf(masked(['a', 'b'], ['b', 'c'], ['c', 'a'])), [
    `layers[0].mask ${circle('b')}`,
    `layers[1].mask ${circle('c')}`,
    `layers[2].mask ${circle('a')}`,
  ]);
  t.same(
    problemsOf(masked(['x', 'a'], ['a', 'b'], ['b', 'a'])).length,
    2,
    'one that leads into a circle ends too',
  );
  const inGroup = aLayer('group', { id: 'g', layers: [aLayer('rect', { mask: 'g' })] });
  t.same(problemsOf(aTemplate({ layers: [inGroup] })), [
    `layers[0].layers[0].mask is "g", ${elsewhere}`,
  ]);
  t.end();
});

t.test('a default is a value that a link may give', (t) => {
  const cases: [variable: Record<string, unknown>, problem: string | undefined][] = [
    [aVariable('v', 'number', '1.5'), undefined],
    [aVariable('v', 'number', ''), undefined],
    [aVariable('v', 'number', '.5'), undefined],
    [
      aVariable('v', 'number', 'abc'),
      'value is "abc", expected a number in digits, with an optional sign and decimal point',
    ],
    [
      aVariable('v', 'number', '9999999999999999'),
      'value is "9999999999999999", expected a number of at most 15 digits before and 15 after its decimal point, from -999999999999999 to 999999999999999; a variable of type text takes longer ones',
    ],
    [
      { ...aVariable('v', 'number', '7'), min: 1, max: 5 },
      'value is "7", expected a number from 1 to 5',
    ],
    [{ ...aVariable('v', 'number', '7'), min: 9, max: 5 }, 'min is 9, expected at most max, 5'],
    [{ ...aVariable('v', 'number', '5'), min: 5, max: 5 }, undefined],
    [
      { ...aVariable('v', 'number', '5'), min: -Infinity },
      'min is -Infinity, expected a number: the smallest that is allowed; a smaller one answers 400',
    ],
    [
      { ...aVariable('v', 'number', '-1'), min: 0 },
      'value is "-1", expected a number of at least 0',
    ],
    [{ ...aVariable('v', 'number', '7'), max: 5 }, 'value is "7", expected a number of at most 5'],
    [
      { ...aVariable('v', 'text', '7'), max: 5 },
      'max is for variables of type number, and this one has the type text; remove it',
    ],
    [
      { ...aVariable('v', 'color', '#fff'), maxLength: 5 },
      'maxLength is for variables of type text, and this one has the type color; remove it',
    ],
    [aVariable('v', 'text', '\u2028'.repeat(101)), 'value has more than 100 line breaks'],
    [aVariable('v', 'text', '\r\n'.repeat(100)), undefined],
    [aVariable('v', 'boolean', 'true'), undefined],
    [aVariable('v', 'boolean', 'yes'), 'value is "yes", expected "true" or "false"'],
    [aVariable('v', 'color', '#08f'), undefined],
    [
      aVariable('v', 'color', 'red'),
      'value is "red", expected a colour: #rgb, #rgba, #rrggbb or #rrggbbaa',
    ],
    [
      { ...aVariable('v', 'text', 'Amanda'), maxLength: 5 },
      'value has 6 characters, the limit is 5',
    ],
    [{ ...aVariable('v', 'text', '🙂🙂🙂🙂🙂'), maxLength: 5 }, undefined],
    [aVariable('v', 'text', '\n'.repeat(101)), 'value has more than 100 line breaks'],
    [aVariable('v', 'text', 'x'.repeat(2001)), 'value has 2001 characters, the limit is 2000'],
  ];
  for (const [variable, problem] of cases) {
    const problems = problemsOf(aTemplate({ variables: [variable] }));
    t.same(problems.slice(0, 1), problem === undefined ? [] : [`variables[0].${problem}`]);
  }
  t.end();
});

t.test('with its defaults a layer is what its schema says', (t) => {
  const variables = [
    aVariable('w', 'number', '-5'),
    aVariable('c', 'text', 'red'),
    aVariable('p', 'text', 'M0 0L'),
  ];
  const layers = [
    aLayer('rect', { width: '{{w}}', fill: '{{c}}' }),
    aLayer('path', { id: 'b', path: '{{p}}' }),
  ];
  const suffix = '(with the default values of its variables)';
  t.same(problemsOf(aTemplate({ variables, layers })), [
    `layers[0].width is -5, expected a number of design pixels from 0 to 16384, hug (texts, stacks) or fill (in stacks) ${suffix}`,
    `layers[0].fill is "red", expected a colour (#rrggbb), a gradient or an image fill ${suffix}`,
    `layers[1].path needs a number at character 6 ${suffix}`,
  ]);
  t.same(problemsOf(aTemplate({ variables, background: '{{c}}' })), [
    'background is no colour with the default values; give its variables other defaults',
  ]);
  t.end();
});

t.test('path data can be drawn', (t) => {
  const path = (data: string): unknown => aTemplate({ layers: [aLayer('path', { path: data })] });
  t.same(problemsOf(path('M0 0h5.5-3v1e1a1 1 0 01.5.5z')), []);
  t.same(problemsOf(path('M1e308 0')), ['layers[0].path has a number over 1000000 at character 2']);
  t.same(problemsOf(path('L5 5')), ['layers[0].path does not begin with M']);
  t.match(problemsOf(path('url(#x)')), [
    /^layers\[0\]\.path is "url\(#x\)", expected a text of at most 16,384 characters: SVG path data/,
  ]);
  const clip = (value: unknown): unknown =>
    aTemplate({ layers: [aLayer('rect', { clip: value })] });
  t.same(problemsOf(clip({ shape: 'path' })), ['layers[0].clip needs "path"']);
  t.same(problemsOf(clip({ shape: 'path', path: 'M0 0L1' })), [
    'layers[0].clip.path needs a number at character 7',
  ]);
  t.end();
});

t.test('a text layer has either a text or spans', (t) => {
  const needs = ['layers[0] needs either text or spans'];
  t.same(problemsOf(aTemplate({ layers: [aLayer('text')] })), needs);
  t.same(
    problemsOf(aTemplate({ layers: [aLayer('text', { text: 'a', spans: [{ text: 'b' }] })] })),
    needs,
  );
  t.end();
});

t.test('an svg is checked when it is saved', (t) => {
  t.same(problemsOf(svg('<rect width="9" height="9"/>')), []);
  t.same(problemsOf(svg('<image href="file:///etc/hostname"/>')), [
    'layers[0].svg loads "file:///etc/hostname" from outside, which is never done; use an image layer',
  ]);
  t.same(problemsOf(aTemplate({ layers: [aLayer('svg', { svg: 'x'.repeat(65_537) })] })).length, 1);
  t.end();
});
