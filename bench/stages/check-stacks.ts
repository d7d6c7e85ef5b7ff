/** Measures how long hostile stacks take: the check that refuses them, and the layout of those that are accepted. */
import { join } from 'node:path';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { measureStage } from './measure-stage.ts';

await prepareFontEnvironment(join(import.meta.dirname, '../../node_modules/.cache/platen-bench'));
const { layoutScene } = await import('../../workers/layout/layout.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');

type Values = Record<string, unknown>;

/** As a link gives them. */
const values = new Map([
  ['items', JSON.stringify(Array.from({ length: 200 }, () => ({ title: 'Green tea' })))],
]);

const hugs = { width: 'hug', height: 'hug' };
const text = { type: 'text', ...hugs, text: 'First Last', fontSize: 20 };
const list = {
  name: 'items',
  type: 'list',
  fields: [{ name: 'title', type: 'text', value: 'Tea' }],
  value: [],
};

function documentOf(stack: Values): Values {
  let count = 0;
  const number = (layer: Values): Values => {
    count += 1;
    const layers = layer['layers'] as Values[] | undefined;
    return { id: `l${count}`, ...layer, ...(layers && { layers: layers.map(number) }) };
  };
  const layers = [number({ type: 'stack', x: 0, y: 0, width: 800, height: 600, ...stack })];
  return { format: 1, name: 'hostile', width: 800, height: 600, variables: [list], layers };
}

/** Stacks in one another, whose sizes each depend on those around and inside them. */
function nested(depth: number): Values {
  let inner: Values = text;
  for (let level = 0; level < depth; level += 1) {
    const sizes = level % 2 === 0 ? hugs : { width: 'fill', height: 'fill' };
    inner = {
      type: 'stack',
      direction: level % 3 === 0 ? 'row' : 'column',
      ...sizes,
      layers: [inner, text],
    };
  }
  return { layers: [inner] };
}

const times = (count: number, layer: Values): Values[] =>
  Array.from({ length: count }, () => layer);

const documents: Record<string, Values> = {
  '7 stacks in one, hug and fill in turn': documentOf(nested(7)),
  '200 stacks in one another': documentOf(nested(200)),
  '100 texts that hug, in a row that wraps': documentOf({
    direction: 'row',
    wrap: true,
    layers: times(100, text),
  }),
  '500 texts that hug': documentOf({ layers: times(499, text) }),
  '501 layers': documentOf({ layers: times(501, { type: 'rect', width: 5, height: 5 }) }),
  '200 items of a text': documentOf({
    repeat: { list: 'items', max: 200 },
    layers: [{ ...text, text: '{{item.title}}' }],
  }),
  '200 items of 3 layers': documentOf({
    repeat: { list: 'items', max: 200 },
    layers: times(3, { ...text, text: '{{item.title}}' }),
  }),
};

for (const [name, document] of Object.entries(documents)) {
  const outcome = checkTemplate(document);
  const once = { warmUps: 20, runs: 50 };
  measureStage(`check: ${name}`, () => document, checkTemplate, once);
  if (!outcome.ok) {
    console.log(`  refused: ${outcome.problems[0]?.path} ${outcome.problems[0]?.message}`);
    continue;
  }
  const template: Template = outcome.template;
  // A new template each time: sizes are kept with its layers.
  const copy = (): Template => structuredClone(template);
  const layout = (fresh: Template): void => {
    layoutScene(bindScene(fresh, values), new Map());
  };
  measureStage(`layout: ${name}`, copy, layout, once);
}
