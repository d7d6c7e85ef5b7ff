import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { problemCodes } from '../../src/campaigns/campaign.ts';
import { problemCounts, problemName } from '../../src/studio/campaign/problem-names.ts';
import {
  choicesOf,
  firstImage,
  formatChoices,
  imageOptions,
  isSameImage,
  isShownEverywhere,
  scaleChoices,
} from '../../src/studio/campaign/image-choices.ts';
import { rowValues } from '../../src/studio/campaign/row-values.ts';

const template: Template = {
  format: 1,
  name: 'Receipt',
  width: 100,
  height: 100,
  variables: [
    { name: 'name', type: 'text', value: 'friend' },
    { name: 'note', type: 'text', value: 'none', whenEmpty: 'empty' },
    {
      name: 'items',
      type: 'list',
      fields: [
        { name: 'title', type: 'text', value: '' },
        { name: 'price', type: 'number', value: '0' },
      ],
      value: [],
    },
  ],
  layers: [],
};

t.test('the cells of a row become values of the variables', (t) => {
  const mapping = { First: 'name', Note: 'note' };
  t.same(rowValues(mapping, { First: 'Ann', Note: 'x', Other: 'y' }, template), {
    name: 'Ann',
    note: 'x',
  });
  t.same(
    rowValues(mapping, { First: '', Note: '' }, template),
    { note: '' },
    'an empty cell draws the default, unless the template draws nothing for it',
  );
  t.end();
});

t.test('columns of items become the JSON of their list, without empty items', (t) => {
  const mapping = {
    'Title 1': 'items.0.title',
    'Price 1': 'items.0.price',
    'Title 2': 'items.1.title',
    'Title 3': 'items.2.title',
  };
  const cells = { 'Title 1': 'Tea', 'Price 1': '3', 'Title 2': '', 'Title 3': 'Cake' };
  t.same(rowValues(mapping, cells, template), {
    items: JSON.stringify([{ title: 'Tea', price: '3' }, { title: 'Cake' }]),
  });
  t.end();
});

t.test('every problem has a name for people, and counts of others are none', (t) => {
  for (const code of problemCodes) t.not(problemName(code), code, code);
  t.same(problemCounts({ fine: 9, EMPTY: 2, UNMERGED: 3, verdict: '…', template: [] }), [
    ['UNMERGED', 3],
    ['EMPTY', 2],
  ]);
  t.end();
});

t.test('the image of a campaign has the pixels that the email needs of its size', (t) => {
  const design: Template = {
    ...template,
    width: 600,
    height: 200,
    sizes: [{ name: 'wide', width: 1300, height: 400 }],
  };
  const options = (choices: object) =>
    imageOptions('receipt', design, { ...firstImage, ...choices });
  t.same(options({}), { scale: 2 });
  t.same(options({ widthPx: 300 }), {});
  t.same(options({ size: 'wide' }), { size: 'wide' });
  t.same(options({ scale: 3, format: 'jpeg' }), { scale: 3, format: 'jpeg' });
  t.same(scaleChoices('receipt', design, firstImage), [
    ['0', '1200 × 400 px, as needed'],
    ['1', '600 × 200 px'],
    ['3', '1800 × 600 px'],
  ]);
  const closed: Template = { ...design, linkOptions: ['quality'] };
  t.same(scaleChoices('receipt', closed, firstImage), []);
  t.same(formatChoices(closed), []);
  t.same(formatChoices(design).slice(0, 2), [
    ['', 'PNG, as designed'],
    ['png', 'PNG'],
  ]);
  t.equal(isShownEverywhere(firstImage, design), true);
  t.equal(isShownEverywhere({ ...firstImage, format: 'avif' }, design), false);
  for (const choices of [{}, { size: 'wide' }, { scale: 1 }, { scale: 3, format: 'webp' }]) {
    const image = { ...firstImage, ...choices };
    const run = { options: options(choices) };
    t.same(choicesOf(run, 'receipt', design), image, 'a run gives its choices back');
    t.ok(isSameImage(run.options, options(choices)));
  }
  t.notOk(isSameImage(options({}), options({ scale: 3 })));
  t.end();
});
