/** What a canvas of regions keeps from one render is in no later image. */
import t from 'tap';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import { drawInTurn, firstDifference } from '../../helpers/both-ways.ts';
import type { ImageInput } from '../../helpers/both-ways.ts';
import { validTemplate } from '../../helpers/render.ts';

const size = { width: 300, height: 120 };

/** A text that a value moves to any position of a group with round corners, also over its edges. */
function aCard(background: string, shadow: object | undefined): ReturnType<typeof validTemplate> {
  const text = aLayer('text', {
    x: '{{x}}',
    y: '{{y}}',
    width: 120,
    height: 40,
    text: '{{name}}',
    fontSize: 30,
    fill: '#204060',
    ...(shadow === undefined ? {} : { shadow }),
  });
  const { x, y, ...box } = { x: 20.5, y: 10, width: 260, height: 100 };
  const ground = aLayer('rect', { id: 'ground', x: 0, y: 0, ...box, fill: '#ffeedd' });
  return validTemplate(
    aTemplate({
      ...size,
      background,
      variables: [
        aVariable('name', 'text', 'Anna'),
        aVariable('x', 'number', '80'),
        aVariable('y', 'number', '30'),
      ],
      layers: [
        aLayer('group', { id: 'card', x, y, ...box, cornerRadius: 40, layers: [ground, text] }),
      ],
    }),
  );
}

/** More renders than a canvas keeps, at the corners, over the edges and in the middle. */
const inputs: ImageInput[] = Array.from({ length: 24 }, (_, index) => ({
  values: {
    name: `Reader ${index}`,
    x: String([80, -20, 0, 190, 139.5][index % 5]),
    y: String([30, 0, 70, -10][index % 4]),
  },
  images: {},
}));

for (const [title, background, shadow] of [
  ['over a ground', '#ffffff', undefined],
  ['over nothing', 'none', undefined],
  ['with a shadow', '#ffffff', { y: 3, blur: 4, color: '#000000' }],
] as const) {
  t.test(`texts in turn in a group with round corners, ${title}`, async (t) => {
    const template = aCard(background, shadow);
    const before = { values: {}, images: {} };
    const images = await drawInTurn(template, before, inputs, { format: 'png', scale: 1 });
    let compared = 0;
    for (const [index, { whole, spliced }] of images.entries()) {
      if (whole === undefined || spliced === undefined) continue;
      compared += 1;
      t.equal(await firstDifference(whole, spliced), -1, `image ${index}`);
    }
    t.ok(compared > inputs.length / 2, `${compared} are drawn over the base render`);
  });
}
