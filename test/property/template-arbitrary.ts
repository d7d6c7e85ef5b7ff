/** Makes valid template documents out of the schemas themselves, so that a new property is tried without being listed here. */
import * as fc from 'fast-check';
import { bindingSource } from '#language/bind/bindings.ts';
import { layerSchemas } from '#language/schema/layers.ts';
import { ColorFill } from '#language/schema/paint.ts';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { present, type Values } from '../law/parts.ts';
import { conditionsOf } from './condition-arbitrary.ts';

type Schema = Record<string, unknown>;

/** Variables of every generated document, with defaults that fit every property they are bound to. */
const variables = [
  { name: 'number', type: 'number', value: '1' },
  { name: 'boolean', type: 'boolean', value: 'true' },
  { name: 'color', type: 'color', value: '#0a7' },
  { name: 'text', type: 'text', value: 'Grüße 🙂 مرحبا', maxLength: 200 },
  { name: 'photo', type: 'image', value: 'photo' },
  { name: 'day', type: 'date', value: '2026-11-27' },
  {
    name: 'items',
    type: 'list',
    fields: [{ name: 'title', type: 'text', value: 'Tea' }],
    value: [{ title: 'Grüße' }, { title: '漢字' }, {}],
  },
];

const colors = fc.constantFrom(
  '#f00',
  '#0f08',
  '#123456',
  '#12345600',
  '{{color}}',
  '{{number | range:0,60,#f00,#0f08}}',
);
const texts = fc.constantFrom(
  '',
  'Hello',
  '{{text}}!',
  '{{text | name | truncate:9}}',
  '{{number | currency:EUR}} {{day | date:long}} {{day | relative:hour}}',
  'a\nb\n\nc',
  'Tea\t{{text}}\t{{number}}\n\t1',
  'x'.repeat(80),
  'typography, Maximilian {{text}} internationally',
  'שלום 123',
  '「漢字」、（かな）〜ちょっと。「キャー」',
  '\u0000\ud800',
);
const sources = fc.constantFrom('photo', 'ring', '{{photo}}', '', 'nobody');
const paths = fc.constantFrom(
  '',
  'M0 0',
  'M0 0L50 20Q-90 9 30 60Z',
  'M5 5A9 9 0 1150 50H-300',
  'M0 0L1000000 -1000000',
);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 5"><text>{{text}}</text><rect width="4" height="4" fill="#abc"/></svg>';

/** Strings that a schema does not describe well enough, by the property that holds them. */
const stringsByName: Record<string, fc.Arbitrary<string>> = {
  src: sources,
  image: sources,
  text: texts,
  alternatives: texts,
  path: paths,
  svg: fc.constantFrom(svg, svg.replace('viewBox="0 0 9 5"', 'width="7" height="30"')),
  value: fc.constantFrom('', 'A1', '12345678', '978020137962', '{{text}}'),
  fontFamily: fc.constantFrom('Inter', 'Caveat', 'Nobody Has This'),
};

const sizeNames = ['story', 'tall'] as const;

/** Keys of objects whose keys a pattern describes. */
const keysByName: Record<string, fc.Arbitrary<string>> = {
  colors: fc.constantFrom('#aabbcc', 'currentColor', '#000'),
  fontFeatures: fc.constantFrom('tnum', 'liga', 'ss01'),
  fontVariations: fc.constantFrom('wght', 'slnt'),
  bySize: fc.constantFrom(...sizeNames),
};

function fromSchema(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(schema['anyOf'])) {
    return fc.oneof(...(schema['anyOf'] as Schema[]).map((branch) => fromSchema(branch, name)));
  }
  switch (schema['type']) {
    case 'object':
      return fromObject(schema, name);
    case 'array':
      return fromArray(schema, name);
    case 'boolean':
      // The lock of a layer is for the studio, and binds nothing.
      return name === 'locked' ? fc.boolean() : fc.constantFrom(true, false, '{{boolean}}');
    case 'integer':
    case 'number':
      return fromNumber(schema);
    default:
      return fromString(schema, name);
  }
}

function fromNumber({ type, minimum = -100, maximum = 100 }: Schema): fc.Arbitrary<unknown> {
  const [min, max] = [Number(minimum), Number(maximum)];
  const usual = { min: Math.max(min, Math.min(-20, max)), max: Math.min(max, Math.max(90, min)) };
  const numbers =
    type === 'integer'
      ? fc.integer({ min: Math.ceil(usual.min), max: Math.floor(usual.max) })
      : fc.double({ ...usual, noNaN: true });
  const range = `{{number | range:-3,60,${Math.max(min, 0)},${Math.min(max, 40)},${type === 'integer' ? 0 : 4}}}`;
  const bound = min <= 1 && max >= 1 ? [fc.constantFrom('{{number}}', range)] : [];
  return fc.oneof(
    { weight: 8, arbitrary: numbers },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
    ...bound.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

function fromString({ pattern }: Schema, name: string): fc.Arbitrary<unknown> {
  const known = stringsByName[name];
  if (known !== undefined) return known;
  if (typeof pattern === 'string' && pattern.startsWith('^#')) return colors;
  if (pattern === bindingSource) throw new Error('a concrete schema binds nothing');
  return fc.constantFrom('a', 'b');
}

function fromArray(
  { items, prefixItems, minItems = 0, maxItems = 3 }: Schema,
  name: string,
): fc.Arbitrary<unknown> {
  if (Array.isArray(prefixItems))
    return fc.tuple(...(prefixItems as Schema[]).map((item) => fromSchema(item, name)));
  const minLength = Number(minItems);
  const maxLength = Math.max(minLength, Math.min(Number(maxItems), 3));
  return fc.array(fromSchema(items as Schema, name), { minLength, maxLength });
}

function fromObject(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const patterns = schema['patternProperties'] as Record<string, Schema> | undefined;
  const keys = keysByName[name];
  if (patterns !== undefined && keys !== undefined) {
    const [value] = Object.values(patterns);
    return fc.dictionary(keys, fromSchema(value ?? {}, name), { maxKeys: 2 });
  }
  const required = new Set(schema['required'] as string[] | undefined);
  // Conditions are read before values are bound.
  if (required.has('variable')) return conditionsOf(texts);
  const properties = Object.entries(schema['properties'] as Record<string, Schema>).filter(
    ([key]) => !structural.has(key),
  );
  const shape = properties.map(([key, child]) => {
    const value = fromSchema(child, key);
    // Many properties are absent, so that those that are there can be distinguished.
    return required.has(key) ? value : fc.option(value, { nil: undefined, freq: 2 });
  });
  return fc
    .tuple(...shape)
    .map((values) =>
      present(Object.fromEntries(properties.map(([key], index) => [key, values[index]]))),
    );
}

/** What is filled in once all layers are there. */
const structural = new Set(['id', 'mask', 'layers', 'more']);

const leaves = fc.oneof(
  ...Object.entries(layerSchemas)
    .filter(([type]) => type !== 'group' && type !== 'stack')
    .map(([type, schema]) => fromSchema(schema as unknown as Schema, type)),
);
const parentShells = fc.oneof(
  fromSchema(layerSchemas.group as unknown as Schema, 'group'),
  fromSchema(layerSchemas.stack as unknown as Schema, 'stack'),
);

const { layers } = fc.letrec<{ layers: Values[]; layer: Values }>((tie) => ({
  layers: fc.array(tie('layer'), { maxLength: 3 }),
  layer: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 5, arbitrary: leaves as fc.Arbitrary<Values> },
    {
      weight: 2,
      arbitrary: fc
        .tuple(parentShells as fc.Arbitrary<Values>, tie('layers'))
        .map(([parent, inner]) => ({ ...parent, layers: inner })),
    },
  ),
}));

/** Gives each layer an id, a mask now and then, and what only a pair of properties makes valid. */
function complete(list: readonly Values[], prefix: string, inStack = false): Values[] {
  return list.map((layer, index) => {
    const id = `${prefix}${index}`;
    const isMasked = index > 0 && (index + Object.keys(layer).length) % 4 === 0;
    const whole: Values = { ...layer, id, ...(isMasked ? { mask: `${prefix}${index - 1}` } : {}) };
    const clip = whole['clip'] as Values | undefined;
    if (clip?.['shape'] === 'path') whole['clip'] = { path: 'M0 0H40V40Z', ...clip };
    const { type } = whole;
    if (type === 'text') {
      if (whole['spans'] !== undefined) delete whole['text'];
      else whole['text'] ??= 'text';
    }
    if (Array.isArray(whole['layers'])) {
      whole['layers'] = complete(whole['layers'] as Values[], `${id}-`, type === 'stack');
    }
    if (whole['direction'] !== 'row' && type === 'stack') delete whole['wrap'];
    completeRepeat(whole);
    completeBox(whole, inStack);
    for (const overrides of Object.values((whole['bySize'] ?? {}) as Record<string, Values>)) {
      completeSize(whole, overrides, inStack);
    }
    return whole;
  });
}

/** Lets a stack repeat the list of the documents, and no stack within it; a text in it binds the item. */
function completeRepeat(layer: Values): void {
  if (layer['repeat'] === undefined) return;
  layer['repeat'] = { ...(layer['repeat'] as Values), list: 'items', max: 3 };
  const visit = (inner: Values): void => {
    delete inner['repeat'];
    const { type, text } = inner;
    if (type === 'text' && typeof text === 'string') {
      inner['text'] = `${text}{{item.number}} {{item.title}}`;
    }
    for (const child of (inner['layers'] as Values[] | undefined) ?? []) visit(child);
  };
  for (const child of layer['layers'] as Values[]) visit(child);
}

/** Gives a layer the position and sizes that are valid in its parent. */
function completeBox(layer: Values, inStack: boolean): void {
  for (const name of inStack ? ['x', 'y', 'mask'] : []) delete layer[name];
  for (const name of inStack ? [] : ['x', 'y']) layer[name] ??= 5;
  const isText = layer['type'] === 'text' && layer['path'] === undefined;
  const hugs = isText || layer['type'] === 'stack';
  for (const [size, limit] of [
    ['width', 'Width'],
    ['height', 'Height'],
  ] as const) {
    if (layer[size] === 'fill' && !inStack) layer[size] = 40;
    if (layer[size] === 'hug' && !hugs) layer[size] = 30;
    if (layer[size] === 'hug' || layer[size] === 'fill') continue;
    for (const bound of ['min', 'max']) delete layer[`${bound}${limit}`];
  }
}

/** Lets a size change nothing that is not valid beside the rest of the layer. */
function completeSize(layer: Values, overrides: Values, inStack: boolean): void {
  const merged = { ...layer, ...overrides };
  completeBox(merged, inStack);
  if (merged['wrap'] === true) merged['direction'] = 'row';
  for (const name of Object.keys(overrides)) {
    if (Object.hasOwn(merged, name)) overrides[name] = merged[name];
    else delete overrides[name];
  }
  if (overrides['wrap'] === true) overrides['direction'] = 'row';
  // A side that hugs or fills in the size alone has no limits of the layer's side.
  for (const name of ['direction', 'wrap']) {
    if (layer['wrap'] === true && overrides['wrap'] !== true) delete overrides[name];
  }
}

const side = fc.integer({ min: 1, max: 120 });
const background = fc.option(fromSchema(ColorFill as unknown as Schema, 'background'), {
  nil: 'none',
});

/** Documents of these layers that are small to draw, in several sizes. */
export const documentsOf = (list: fc.Arbitrary<Values[]>): fc.Arbitrary<Values> =>
  fc.tuple(side, side, background, list).map(([width, height, ground, drawn]) => ({
    format: 1,
    name: 'generated',
    width,
    height,
    background: ground,
    sizes: sizeNames.map((name, index) => ({ name, width: 20 + index * height, height: width })),
    variables,
    layers: complete(drawn, 'l'),
  }));

/** They say anything that the language knows. */
export const sizedTemplates = documentsOf(layers);

/** Texts that say anything of their look. */
export const textLayers = fromSchema(
  layerSchemas.text as unknown as Schema,
  'text',
) as fc.Arbitrary<Values>;

/** The same in one of their sizes, as they are drawn. */
export const templates: fc.Arbitrary<Values> = fc
  .tuple(sizedTemplates, fc.constantFrom(undefined, ...sizeNames))
  .map(([document, size]) => documentInSize(document as unknown as Template, size) as Values);
