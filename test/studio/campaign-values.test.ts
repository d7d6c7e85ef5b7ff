import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { problemCodes } from '../../src/mailings/campaigns/campaign.ts';
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
import { mapColumn, rowValues } from '../../src/studio/campaign/row-values.ts';
import { documentOf, listOf } from './documents.ts';

const template = documentOf([], {
  variables: [
    { name: 'name', type: 'text', value: 'friend' },
    { name: 'note', type: 'text', value: 'none', whenEmpty: 'empty' },
    listOf('items', { title: ['text', ''], price: ['number', '0'] }, []),
  ],
});

t.test('a variable takes its value from the column that was chosen last', async (t) => {
  const mapping = { First: 'name', Note: 'note' };
  t.same(mapColumn(mapping, 'Other', 'name'), { Note: 'note', Other: 'name' });
  t.same(mapColumn(mapping, 'Note', 'name'), { Note: 'name' });
  t.same(mapColumn(mapping, 'First', ''), { Note: 'note' });
});

t.test('the cells of a row become values of the variables', async (t) => {
  const valuesOf = (cells: Record<string, string>): unknown =>
    rowValues({ First: 'name', Note: 'note' }, cells, template);
  t.same(valuesOf({ First: 'Ann', Note: 'x', Other: 'y' }), { name: 'Ann', note: 'x' });
  const note = 'an empty cell draws the default, unless the template draws nothing for it';
  t.same(valuesOf({ First: '', Note: '' }), { note: '' }, note);
});

t.test('columns of items become the JSON of their list, without empty items', async (t) => {
  const mapping = {
    'Title 1': 'items.0.title',
    'Price 1': 'items.0.price',
    'Title 2': 'items.1.title',
    'Title 3': 'items.2.title',
  };
  const cells = { 'Title 1': 'Tea', 'Price 1': '3', 'Title 2': '', 'Title 3': 'Cake' };
  const items = JSON.stringify([{ title: 'Tea', price: '3' }, { title: 'Cake' }]);
  t.same(rowValues(mapping, cells, template), { items });
});

t.test('every problem has a name for people, and counts of others are none', async (t) => {
  for (const code of problemCodes) t.not(problemName(code), code, code);
  t.same(problemCounts({ fine: 9, EMPTY: 2, UNMERGED: 3, verdict: '…', template: [] }), [
    ['UNMERGED', 3],
    ['EMPTY', 2],
  ]);
});

t.test('the image of a campaign has the pixels that the email needs of its size', async (t) => {
  const sizes = [{ name: 'wide', width: 1300, height: 400 }];
  const design: Template = { ...template, width: 600, height: 200, sizes };
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
  const [designed, png] = formatChoices(design);
  t.same(designed, ['', 'PNG, as designed']);
  t.same(png, ['png', 'PNG']);
  t.equal(isShownEverywhere(firstImage, design), true);
  t.equal(isShownEverywhere({ ...firstImage, format: 'avif' }, design), false);
  for (const choices of [{}, { size: 'wide' }, { scale: 1 }, { scale: 3, format: 'webp' }]) {
    const image = { ...firstImage, ...choices };
    const run = { options: options(choices) };
    t.same(choicesOf(run, 'receipt', design), image, 'a run gives its choices back');
    t.ok(isSameImage(run.options, options(choices)));
  }
  t.notOk(isSameImage(options({}), options({ scale: 3 })));
});
