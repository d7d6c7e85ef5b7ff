/** Variables that typed texts name are made as they are typed. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { TypedVariables } from '../../src/studio/state/typed-variables.ts';
import { problemsOf } from './built-layers.ts';
import { documentOf, listOf } from './documents.ts';

const name: Variable = { name: 'name', type: 'text', value: 'Ada' };
const items: Variable = listOf('items', { title: ['text', ''] }, [{ title: 'Tea' }]);

const box = { x: 0, y: 0, width: 10, height: 10 };

function template(text: string, more: Partial<Template> = {}): Template {
  const layer = { id: 't', type: 'text', x: 0, y: 0, width: 100, height: 50, text };
  return documentOf([layer], { variables: [structuredClone(name)], ...more });
}

function namesIn({ variables }: Template): string[] {
  return variables.map((each) => each.name);
}

/** The variables after each of some texts was written into the same document. */
function typed(...texts: string[]): string[][] {
  const variables = new TypedVariables();
  const draft = template('');
  return texts.map((text) => {
    Object.assign(draft.layers[0] ?? {}, { text });
    variables.settle(draft, () => draft);
    t.same(problemsOf(draft), [], text);
    return namesIn(draft);
  });
}

/** Every text that a person passes while typing this one. */
function keystrokes(text: string): string[] {
  return Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
}

t.test('a name in braces becomes a text variable with its name as the sample', async (t) => {
  const draft = template('Hi {{first_name}}, your seat is {{ seat | upper }} {{name}}');
  new TypedVariables().settle(draft, () => draft);
  t.same(draft.variables.slice(1), [
    { name: 'first_name', type: 'text', value: 'first_name', maxLength: 200 },
    { name: 'seat', type: 'text', value: 'seat', maxLength: 200 },
  ]);
});

t.test('thirty typed sentences of three variables fit the time of a layout', async (t) => {
  const layers = Array.from({ length: 30 }, (_, index) => {
    const text = `Dear {{first_name}}, {{item_${index}}} costs {{price_${index}}}`;
    return { ...box, type: 'text' as const, id: `t${index}`, text };
  });
  const draft = template('', { layers });
  new TypedVariables().settle(draft, () => draft);
  t.same(problemsOf(draft), []);
});

t.test('each keystroke of a sentence leaves a document without problems', async (t) => {
  const after = typed(...keystrokes('Hi {{first_name}}, your seat is {{seat}}'));
  t.same(after.at(-1), ['name', 'first_name', 'seat']);
  t.same(after.at(-2), ['name', 'first_name']);
});

t.test('names that were typed on the way are gone, and variables of people stay', async (t) => {
  t.same(typed('{{name}}', '{{names}}', '{{nam}}', '{{na}}', 'na').at(-2), ['name', 'na']);
  t.same(typed('{{name}}', '{{names}}', 'names').at(-1), ['name']);
});

t.test('a typed variable that somebody has changed stays without its text', async (t) => {
  const variables = new TypedVariables();
  const draft = template('{{seat}}');
  variables.settle(draft, () => draft);
  Object.assign(draft.variables[1] ?? {}, { value: 'A 12' });
  Object.assign(draft.layers[0] ?? {}, { text: '' });
  variables.settle(draft, () => draft);
  t.same(namesIn(draft), ['name', 'seat']);
});

t.test('names in spans, codes, alternative texts, image addresses and SVG markup count', (t) => {
  const layers = [
    { ...box, id: 's', type: 'text', spans: [{ text: 'a' }, { text: '{{one}}', fontWeight: 700 }] },
    { ...box, id: 'q', type: 'qr', value: 'https://a.example/{{two}}' },
    { ...box, id: 'i', type: 'image', src: 'https://a.example/{{three}}.png' },
    { ...box, id: 'v', type: 'svg', svg: '<svg viewBox="0 0 1 1"><g fill="{{five}}"/></svg>' },
    { ...box, id: 'n', type: 'rect', name: 'no {{binding}}', fill: '#000000' },
  ] as Layer[];
  const draft = template('', { layers, alt: '{{four}}' });
  new TypedVariables().settle(draft, () => draft);
  t.same(namesIn(draft).toSorted(), ['five', 'four', 'name', 'one', 'three', 'two']);
  t.end();
});

t.test('a whole address or colour becomes a variable with the value it replaces', async (t) => {
  const layers = [
    { ...box, id: 'i', type: 'image', src: 'asset:1' },
    { ...box, id: 'r', type: 'rect', fill: '#d64933', stroke: { color: '#20639b', width: 1 } },
    { ...box, id: 'p', type: 'rect', fill: { image: 'https://a.example/p.png' } },
    { ...box, id: 'q', type: 'qr', value: 'a' },
  ] as Layer[];
  const before = template('', { layers, background: '#ffeedd' });
  const draft = structuredClone(before);
  const [image, rect, paper, code] = draft.layers;
  Object.assign(image ?? {}, { src: '{{photo}}' });
  Object.assign(rect ?? {}, { fill: '{{accent}}', stroke: { color: '{{line}}', width: 1 } });
  Object.assign(paper ?? {}, { fill: { image: '{{paper}}' } });
  Object.assign(code ?? {}, { background: '{{code}}' });
  Object.assign(draft, { background: '{{ground}}' });
  const variables = new TypedVariables();
  variables.settle(draft, () => before);
  const made = [
    { name: 'ground', type: 'color', value: '#ffeedd' },
    { name: 'photo', type: 'image', value: 'asset:1' },
    { name: 'accent', type: 'color', value: '#d64933' },
    { name: 'line', type: 'color', value: '#20639b' },
    { name: 'paper', type: 'image', value: 'https://a.example/p.png' },
    { name: 'code', type: 'color', value: '#ffffff' },
  ];
  t.same(draft.variables.slice(1), made);
  t.same(problemsOf(draft), []);
  Object.assign(image ?? {}, { src: '{{portrait}}' });
  variables.settle(draft, () => draft);
  t.match(draft.variables.at(-1), { name: 'portrait', type: 'image', value: '' });
  t.notOk(namesIn(draft).includes('photo'), 'the unused one is gone');
  Object.assign(rect ?? {}, { fill: '{{score | range:0=#d64933,9=#20639b}}' });
  variables.settle(draft, () => draft);
  t.notOk(namesIn(draft).includes('score'), 'a format hides the type');
});

t.test('a field of an item is added to the list that the stack repeats', async (t) => {
  const text = '{{item.title}} {{item.shelf}} {{item.number}}';
  const row = { id: 'row', type: 'text', width: 100, height: 20, text };
  const rows = { ...box, id: 'rows', type: 'stack', repeat: { list: 'items' }, layers: [row] };
  const layers = [rows] as unknown as Layer[];
  const variables = new TypedVariables();
  const draft = template('', { layers, variables: [structuredClone(items)] });
  variables.settle(draft, () => draft);
  t.same(problemsOf(draft), []);
  const [list] = draft.variables;
  t.same(list?.type === 'list' && list.fields.map((field) => field.name), ['title', 'shelf']);
  const [stack] = draft.layers as unknown as { layers: object[] }[];
  Object.assign(stack?.layers[0] ?? {}, { text: '{{item.title}}' });
  variables.settle(draft, () => draft);
  const [settled] = draft.variables;
  t.same(settled?.type === 'list' && settled.fields.map((field) => field.name), ['title']);
  const photo = { id: 'photo', type: 'image', width: 20, height: 20, src: 'asset:1' };
  stack?.layers.push(photo);
  const before = structuredClone(draft);
  photo.src = '{{item.photo}}';
  variables.settle(draft, () => before);
  t.same(problemsOf(draft), []);
  t.match(draft.variables[0], {
    fields: [{ name: 'title' }, { name: 'photo', type: 'image', value: 'asset:1' }],
  });
});

t.test('what no variable can help stays a problem', async (t) => {
  for (const [text, words] of [
    ['{{name | curency:EUR}}', 'curency'],
    ['{{item.title}}', 'stack that repeats'],
    ['{{countdown.days}}', 'needs a clock'],
    ['{{items}}', 'is a list'],
    ['{{ }}', 'no variable of that name'],
  ] as const) {
    const draft = template(text, { variables: [structuredClone(name), structuredClone(items)] });
    new TypedVariables().settle(draft, () => draft);
    t.equal(draft.variables.length, 2, text);
    const [problem, ...others] = problemsOf(draft);
    t.equal(problem?.path, 'layers[0].text');
    t.ok(problem?.message.includes(words), text);
    t.same(others, []);
  }
});
