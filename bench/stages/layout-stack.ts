/** Measures the layout of 40 layers in nested stacks with eight new values in each run: from a template to its display list. */
import { join } from 'node:path';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { nameOf } from '../harness/names.ts';
import { measureStage } from './measure-stage.ts';
import { createRandom, randomText } from './random-text.ts';

await prepareFontEnvironment(join(import.meta.dirname, '../../node_modules/.cache/platen-bench'));
const { layoutScene } = await import('../../workers/layout/layout.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');

const hugs = { width: 'hug', height: 'hug' };

/** One product of an order: a photograph's frame, two texts that take what is left, and a price that hugs. */
function product(index: number): object {
  const words = { type: 'text', width: 'fill', height: 'hug', fontSize: 18 };
  return {
    id: `product${index}`,
    type: 'stack',
    direction: 'row',
    width: 'fill',
    height: 'hug',
    gap: 12,
    align: 'center',
    layers: [
      { id: `photo${index}`, type: 'rect', width: 48, height: 48, fill: '#336699' },
      {
        id: `words${index}`,
        type: 'stack',
        width: 'fill',
        height: 'hug',
        gap: 4,
        layers: [
          { ...words, id: `title${index}`, text: `{{title${index}}}`, fontWeight: 700 },
          { ...words, id: `note${index}`, text: 'Ships within two working days' },
        ],
      },
      { id: `price${index}`, type: 'text', ...hugs, text: '49.90', fontSize: 18, wrap: false },
    ],
  };
}

/** A card: a head with the name, six products and a total. 40 layers, four levels deep, eight of them bound. */
function orderTemplate(): Template {
  const head = { id: 'name', type: 'text', width: 'fill', height: 'hug', fontSize: 36 };
  const card = {
    id: 'card',
    type: 'stack',
    x: 40,
    y: 40,
    width: 560,
    height: 'hug',
    maxHeight: 900,
    gap: 16,
    padding: 24,
    fill: '#ffffff',
    layers: [
      { ...head, text: 'Your order, {{name}}' },
      ...Array.from({ length: 6 }, (_, index) => product(index)),
      { ...head, id: 'total', text: 'Total {{total}}', align: 'end' },
      { id: 'line', type: 'rect', width: 'fill', height: 1, fill: '#999999' },
    ],
  };
  const names = ['name', 'total', ...Array.from({ length: 6 }, (_, index) => `title${index}`)];
  const variables = names.map((name) => ({ name, type: 'text', value: 'Amanda' }));
  const check = checkTemplate({
    format: 1,
    name: 'order',
    width: 640,
    height: 1000,
    variables,
    layers: [card],
  });
  if (!check.ok) throw new Error(JSON.stringify(check.problems));
  return check.template;
}

const random = createRandom(3);
const template = orderTemplate();
const images = new Map();
const newValues = (index: number): Map<string, string> =>
  new Map([
    ['name', nameOf(index)],
    ['total', randomText(random, 8)],
    ...[12, 16, 20, 24, 30, 40].map(
      (length, number) => [`title${number}`, randomText(random, length)] as const,
    ),
  ]);
const knownValues = newValues(0);
const layout = (values: Map<string, string>): void => {
  layoutScene(bindScene(template, values), images);
};

measureStage('stacks of 40 layers, 8 new values', newValues, layout, { warmUps: 1000 });
measureStage('stacks of 40 layers, known values', () => knownValues, layout);
