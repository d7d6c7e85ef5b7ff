import t from 'tap';
import { defaultText } from '#language/values/list-value.ts';
import type { Template } from '#language/schema/template.ts';
import { drawnSources } from '../../src/render/images/drawn-sources.ts';
import { publishedTemplate } from '../fixtures/published.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';

const host = 'https://example.com';

function sourcesOf(parts: object, frames?: number): string[] {
  const variables = [
    aVariable('n', 'number', '0'),
    aVariable('on', 'boolean', 'true'),
    aVariable('photo', 'image', `${host}/default.png`),
  ];
  const document = aTemplate({ variables, ...parts }) as Template;
  const template = { ...publishedTemplate({}), document };
  const values = new Map(document.variables.map((each) => [each.name, defaultText(each)]));
  const options = { format: 'gif', scale: 1, timeMs: 0, frames } as never;
  return drawnSources(template, values, options);
}

const framesOf = (values: object[]): object => ({
  type: 'values',
  frames: values.map((each) => ({ values: each, seconds: 1 })),
});

t.test('the images of all frames are found, whatever else the frames change', async (t) => {
  const layers = [
    aLayer('image', {
      id: 'a',
      src: '{{photo}}',
      x: '{{n}}',
      width: '{{n|range:0,9,1,50}}',
      opacity: '{{n|range:0,9,0,1}}',
    }),
    aLayer('image', { id: 'b', src: `${host}/b{{n}}.png`, visible: '{{on}}' }),
    aLayer('image', { id: 'c', src: `${host}/c.png`, visibleWhen: { variable: 'n', equals: '2' } }),
    aLayer('rect', { id: 'd', x: '{{n}}' }),
  ];
  const animation = framesOf([{ n: '1' }, { n: '1', on: 'false' }, { n: '2' }, { n: '1' }]);
  t.same(sourcesOf({ layers, animation }, 4), [
    `${host}/default.png`,
    `${host}/b1.png`,
    `${host}/b2.png`,
    `${host}/c.png`,
  ]);
  t.same(sourcesOf({ layers }), [`${host}/default.png`, `${host}/b0.png`], 'a still');
  const motion = { type: 'motion', seconds: 2 };
  t.same(sourcesOf({ layers, animation: motion }, 20), [`${host}/default.png`, `${host}/b0.png`]);
});

t.test('a layer that a value leaves without a box draws no image', async (t) => {
  const layers = [
    aLayer('image', { id: 'a', src: '{{photo}}', width: '{{below}}' }),
    aLayer('image', { id: 'b', src: `${host}/b.png`, x: '{{below}}' }),
  ];
  const variables = [
    aVariable('below', 'number', '-5'),
    aVariable('photo', 'image', `${host}/default.png`),
  ];
  t.same(sourcesOf({ layers, variables }), [`${host}/b.png`]);
});

t.test('frames that draw too many images are refused at once', async (t) => {
  const layers = Array.from({ length: 40 }, (_, index) =>
    aLayer('image', { id: `i${index}`, src: `${host}/{{n}}/${index}.png` }),
  );
  const animation = framesOf(Array.from({ length: 120 }, (_, index) => ({ n: String(index) })));
  t.throws(() => sourcesOf({ layers, animation }, 120), {
    code: 'BAD_REQUEST',
    message: /more than 1000 different images: ask for fewer frames/,
  });
  t.equal(sourcesOf({ layers, animation }, 25).length, 1000);
});
