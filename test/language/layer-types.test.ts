import t from 'tap';
import { textNames } from '#language/bind/bindings.ts';
import { imageAddresses, imageNames, layerTypes } from '#language/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import { aLayer } from '../fixtures/template-documents.ts';

/** How often a schema has the role of an image, at any depth. */
function countImages(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  if (Reflect.get(schema, 'role') === 'image') return 1;
  return Object.values(schema).reduce((sum: number, child) => sum + countImages(child), 0);
}

t.test('each position of a layer that may have an image is one that loads it', async (t) => {
  const address = 'https://images.example/a.png';
  const filled = { src: address, fill: { image: address } };
  let total = 0;
  for (const [type, { schema }] of Object.entries(layerTypes)) {
    const count = countImages(schema);
    total += count;
    const layer = aLayer(type, filled) as unknown as Layer;
    t.equal(imageAddresses(layer).length, count, type);
  }
  t.ok(total >= 6, `${total} positions`);
});

t.test('an address is reported with its path, bound or not; others are none', async (t) => {
  const addressesOf = (properties: Record<string, unknown>) =>
    imageAddresses(aLayer('rect', properties) as unknown as Layer);
  t.same(addressesOf({ fill: { image: '{{photo}}' } }), [[['fill', 'image'], '{{photo}}']]);
  t.same(addressesOf({ fill: '#ffffff', src: 'https://images.example/a.png' }), []);
});

/** Paths of the properties in a schema that are bound as a text or as an address by their names, and take something else. */
function* misnamed(schema: unknown, path: string): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {}, items, anyOf = [] } = schema as Record<string, object | undefined>;
  for (const [name, property] of Object.entries(properties)) {
    const {
      type,
      role,
      items: inner,
    } = property as { type?: string; role?: string; items?: { type?: string } };
    const isText = (type === 'array' ? inner?.type : type) === 'string';
    if (textNames.has(name) && !isText) yield `${path}.${name}`;
    if (imageNames.has(name) && role !== 'image') yield `${path}.${name}`;
    yield* misnamed(property, `${path}.${name}`);
  }
  for (const inner of [items, ...Object.values(anyOf)]) yield* misnamed(inner, path);
}

t.test('a property that is bound as a text or as an address by its name takes one', async (t) => {
  for (const [type, { schema }] of Object.entries(layerTypes)) {
    t.same([...misnamed(schema, type)], [], 'another name: `bindDeep` has these');
  }
  const part = { items: { properties: { text: {}, src: { type: 'string' } } } };
  const wrong = { properties: { value: { type: 'number' }, part } };
  t.same([...misnamed(wrong, 'rating')], ['rating.value', 'rating.part.text', 'rating.part.src']);
});
