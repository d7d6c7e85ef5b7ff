import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../fixtures/template-documents.ts';

t.test('names and ids are unique, through all groups', async (t) => {
  const variables = [aVariable('a', 'text', ''), aVariable('a', 'color', '#fff')];
  const layers = [aLayer('group', { layers: [aLayer('rect')] })];
  t.same(problemsOf(aTemplate({ variables, layers })), [
    'layers[0].layers[0].id is "a" again, expected a unique one',
    'variables[1].name is "a" again, expected a unique one',
  ]);
});

t.test('a binding leads to a variable', async (t) => {
  const visibleWhen = { variable: 'vip', set: true };
  const stops = [0, 1].map((offset) => ({ offset, color: offset === 0 ? '{{c}}' : '#fff' }));
  const layers = [
    aLayer('text', { text: 'Hi {{name}} {{ other }}', visibleWhen }),
    aLayer('rect', { id: 'b', fill: { gradient: 'linear', stops } }),
  ];
  const variables = [aVariable('name', 'text', 'Amanda')];
  t.same(problemsOf(aTemplate({ variables, layers, background: '{{ground}}' })), [
    'background binds {{ground}}, but the template has no variable of that name',
    'layers[0].text binds {{other}}, but the template has no variable of that name',
    'layers[0].visibleWhen names "vip", but the template has no variable of that name',
    'layers[1].fill.stops[0].color binds {{c}}, but the template has no variable of that name',
  ]);
});

t.test('a mask is another layer of the same group, and masks run in no circle', async (t) => {
  const masked = (masks: string): string[] => {
    const pairs = masks.split(' ').map((pair) => pair.split('>'));
    return problemsOf(
      aTemplate({ layers: pairs.map(([id, mask]) => aLayer('rect', { id, mask })) }),
    );
  };
  const elsewhere = 'expected the id of another layer in the same group';
  t.same(masked('a>a'), [`layers[0].mask is "a", ${elsewhere}`]);
  t.same(masked('a>nobody'), [`layers[0].mask is "nobody", ${elsewhere}`]);
  const circle = 'which this layer masks in turn; break the circle';
  t.same(masked('a>b b>c c>a'), [
    `layers[0].mask is "b", ${circle}`,
    `layers[1].mask is "c", ${circle}`,
    `layers[2].mask is "a", ${circle}`,
  ]);
  t.equal(masked('x>a a>b b>a').length, 2, 'one that leads into a circle ends too');
  const inGroup = layerProblems('group', { id: 'g', layers: [aLayer('rect', { mask: 'g' })] });
  t.same(inGroup, [`layers[0].layers[0].mask is "g", ${elsewhere}`]);
});

t.test('a default is a value that a link may give', async (t) => {
  const taken = [
    aVariable('v', 'number', '1.5'),
    aVariable('v', 'number', ''),
    aVariable('v', 'number', '.5'),
    aVariable('v', 'number', '5', { min: 5, max: 5 }),
    aVariable('v', 'text', '\r\n'.repeat(100)),
    aVariable('v', 'text', '🙂🙂🙂🙂🙂', { maxLength: 5 }),
    aVariable('v', 'boolean', 'true'),
    aVariable('v', 'color', '#08f'),
  ];
  for (const variable of taken) t.same(problemsOf(aTemplate({ variables: [variable] })), []);
  const digits = 'a number in digits, with an optional sign and decimal point';
  const large =
    'a number of at most 15 digits before and 15 after its decimal point, from -999999999999999 to 999999999999999; a variable of type text takes longer ones';
  const smallest = 'the smallest that is allowed; a smaller one answers 400';
  const colour = 'a colour: #rgb, #rgba, #rrggbb or #rrggbbaa';
  const typed = (type: string, mine: string): string =>
    `is for variables of type ${type}, and this one has the type ${mine}; remove it`;
  const refused: [problem: string, ...variable: Parameters<typeof aVariable>][] = [
    [`value is "abc", expected ${digits}`, 'v', 'number', 'abc'],
    [`value is "${'9'.repeat(16)}", expected ${large}`, 'v', 'number', '9'.repeat(16)],
    ['value is "7", expected a number from 1 to 5', 'v', 'number', '7', { min: 1, max: 5 }],
    ['min is 9, expected at most max, 5', 'v', 'number', '7', { min: 9, max: 5 }],
    [`min is -Infinity, expected a number: ${smallest}`, 'v', 'number', '5', { min: -Infinity }],
    ['value is "-1", expected a number of at least 0', 'v', 'number', '-1', { min: 0 }],
    ['value is "7", expected a number of at most 5', 'v', 'number', '7', { max: 5 }],
    [`max ${typed('number', 'text')}`, 'v', 'text', '7', { max: 5 }],
    [`maxLength ${typed('text', 'color')}`, 'v', 'color', '#fff', { maxLength: 5 }],
    ['value has more than 100 line breaks', 'v', 'text', '\u2028'.repeat(101)],
    ['value has more than 100 line breaks', 'v', 'text', '\n'.repeat(101)],
    ['value is "yes", expected "true" or "false"', 'v', 'boolean', 'yes'],
    [`value is "red", expected ${colour}`, 'v', 'color', 'red'],
    ['value has 6 characters, the limit is 5', 'v', 'text', 'Amanda', { maxLength: 5 }],
    ['value has 2001 characters, the limit is 2000', 'v', 'text', 'x'.repeat(2001)],
  ];
  for (const [problem, ...variable] of refused) {
    const [first] = problemsOf(aTemplate({ variables: [aVariable(...variable)] }));
    t.equal(first, `variables[0].${problem}`);
  }
});

t.test('with its defaults a layer is what its schema says', async (t) => {
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
});

t.test('path data can be drawn', async (t) => {
  t.same(layerProblems('path', { path: 'L5 5' }), ['layers[0].path does not begin with M']);
  t.match(layerProblems('path', { path: 'url(#x)' }), [
    /^layers\[0\]\.path is "url\(#x\)", expected a text of at most 16,384 characters: SVG path data/,
  ]);
  t.same(layerProblems('rect', { clip: { shape: 'path' } }), ['layers[0].clip needs "path"']);
  const clip = { shape: 'path', path: 'M0 0L1' };
  t.same(layerProblems('rect', { clip }), ['layers[0].clip.path needs a number at character 7']);
});

t.test('a text layer has either a text or spans', async (t) => {
  for (const properties of [{}, { text: 'a', spans: [{ text: 'b' }] }])
    t.same(layerProblems('text', properties), ['layers[0] needs either text or spans']);
});
