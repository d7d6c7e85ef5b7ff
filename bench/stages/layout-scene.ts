/** Measures the layout of a scene of 20 layers with new values in each run: from a template to its display list. */
import { join } from 'node:path';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { measureStage } from './measure-stage.ts';
import { createRandom, randomText } from './random-text.ts';

await prepareFontEnvironment(join(import.meta.dirname, '../../node_modules/.cache/platen-bench'));
const { layoutScene } = await import('../../workers/layout/layout.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');

/** A banner: ten texts, eight of them bound, and ten shapes. */
function bannerTemplate(): Template {
  const texts = Array.from({ length: 10 }, (_, index) => ({
    id: `text${index}`,
    type: 'text',
    x: 20 + (index % 2) * 560,
    y: 20 + Math.floor(index / 2) * 110,
    width: 540,
    height: 90,
    text: index < 8 ? `{{value${index}}}` : 'Every order ships free this week',
    fontFamily: index % 2 === 0 ? 'Inter' : 'Playfair Display',
    fontWeight: index % 3 === 0 ? 700 : 400,
    fontSize: 40,
    align: index % 2 === 0 ? 'start' : 'center',
    verticalAlign: 'middle',
  }));
  const shapes = Array.from({ length: 10 }, (_, index) => ({
    id: `shape${index}`,
    type: index % 2 === 0 ? 'rect' : 'ellipse',
    x: index * 100,
    y: 50,
    width: 90,
    height: 90,
    fill: '#336699',
  }));
  const variables = Array.from({ length: 8 }, (_, index) => ({
    name: `value${index}`,
    type: 'text',
    value: 'Amanda',
  }));
  const head = { format: 1, name: 'banner', width: 1200, height: 630 };
  const check = checkTemplate({ ...head, variables, layers: [...shapes, ...texts] });
  if (!check.ok) throw new Error(JSON.stringify(check.problems));
  return check.template;
}

const random = createRandom(2);
const template = bannerTemplate();
const images = new Map();

/** Values of the lengths that campaigns use: names, offers, a sentence. */
const lengths = [8, 12, 16, 8, 20, 12, 30, 40];
const newValues = (): Map<string, string> =>
  new Map(lengths.map((length, index) => [`value${index}`, randomText(random, length)]));
const knownValues = newValues();
const layout = (values: Map<string, string>): void => {
  layoutScene(bindScene(template, values), images);
};

measureStage('scene of 20 layers, 8 new values', newValues, layout, { warmUps: 1000 });
measureStage('scene of 20 layers, known values', () => knownValues, layout);
