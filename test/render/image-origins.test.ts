import t from 'tap';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { defaultOptions } from '../../src/render/request.ts';
import { imageOrigins } from '../../src/render/images/origins.ts';
import { parseQuery } from '../../src/http/query.ts';
import { publishedTemplate } from '../fixtures/published.ts';

const itemsMax = 200;
const template = publishedTemplate({
  variables: [
    {
      name: 'items',
      type: 'list',
      fields: [{ name: 'photo', type: 'image', value: '' }],
      value: [{ photo: '' }],
    },
    { name: 'logo', type: 'image', value: '' },
  ],
  layers: [
    { id: 'logo', type: 'image', src: '{{logo}}', x: 0, y: 0, width: 9, height: 9 },
    {
      id: 'row',
      type: 'stack',
      direction: 'row',
      x: 0,
      y: 0,
      width: 99,
      height: 9,
      repeat: { list: 'items', max: itemsMax },
      layers: [
        { id: 'photo', type: 'image', src: '{{item.photo}}', width: 9, height: 9 },
        { id: 'again', type: 'image', src: ' {{item.photo}} ', width: 9, height: 9 },
      ],
    },
  ],
});

/** The values of a link, which count how often they are copied. */
class CopiedValues extends Map<string, string> {
  copies = 0;

  override [Symbol.iterator](): MapIterator<[string, string]> {
    this.copies += 1;
    return super[Symbol.iterator]();
  }
}

function valuesOf(photos: readonly string[], logo = ''): CopiedValues {
  const items = encodeURIComponent(JSON.stringify(photos.map((photo) => ({ photo }))));
  const parameters = parseQuery(`items=${items}&logo=${encodeURIComponent(logo)}`);
  return new CopiedValues(resolveVariables(template, parameters, noTables));
}

t.test('an image comes from the layers that draw it and the variables that they bind', (t) => {
  const values = valuesOf(['data:,a', 'data:,b'], 'data:,b');
  const options = defaultOptions({ uid: template.uid, format: undefined }, template);
  const originOf = imageOrigins({ template, options }, values);
  t.same(originOf('data:,a'), {
    layers: ['photo', 'again'],
    variables: ['items'],
    readsTables: false,
  });
  t.same(originOf('data:,b'), {
    layers: ['logo', 'photo', 'again'],
    variables: ['logo', 'items'],
    readsTables: false,
  });
  t.same(originOf('data:,c'), { layers: [], variables: [], readsTables: false });
  t.end();
});

t.test('the items of a link are bound once, however many of their images are asked for', (t) => {
  const photos = Array.from({ length: itemsMax }, (_, index) => `data:,${index}`);
  const values = valuesOf(photos);
  const options = defaultOptions({ uid: template.uid, format: undefined }, template);
  values.copies = 0;
  const originOf = imageOrigins({ template, options }, values);
  t.equal(values.copies, 0, 'nothing is bound before the first is asked for');
  t.ok(photos.every((photo) => originOf(photo).variables.join() === 'items'));
  t.equal(values.copies, itemsMax);
  t.end();
});
