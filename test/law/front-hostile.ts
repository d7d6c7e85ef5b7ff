/** Documents and links by which a request once held the thread that answers. */
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';
import type { FrontCase } from './front-documents.ts';

const expensive = 'ẞ'.repeat(1990);
const oneOf = Array<string>(50).fill('{{v}}');
const compare = (variable: string): unknown[] =>
  Array<unknown>(5).fill({ not: { variable, oneOf, ignoreCase: true } });

/** Seven images under the most expensive conditions. */
const compared = (variable: string): object[] =>
  Array.from({ length: 7 }, (_, index) =>
    aLayer('image', { id: `i${index}`, src: '{{p}}', visibleWhen: compare(variable) }),
  );
const variables = [
  { name: 'v', type: 'text', value: expensive },
  { name: 'p', type: 'image', value: '' },
];

/** A countdown designed as one frame, of which a link asks for 120. */
const multipliedFrames: FrontCase = {
  document: aTemplate({
    clock: { until: '2031-01-01T00:00' },
    animation: { type: 'countdown', frames: 1 },
    variables,
    layers: [
      ...compared('countdown.seconds'),
      aLayer('text', { id: 't', text: '{{countdown.seconds}}' }),
    ],
  }) as unknown as Template,
  values: {},
  options: { _format: 'gif', _frames: '120' },
};

const names = Array.from({ length: 150 }, (_, index) => `p${index}`);

/** Images each of which shows when the one before it has failed. */
const failingChain: FrontCase = {
  document: aTemplate({
    onImageError: 'default',
    variables: [...variables, ...names.map((name) => ({ name, type: 'image', value: '' }))],
    layers: [
      ...compared('v'),
      ...names.map((name, index) => ({
        ...aLayer('image', { id: `c${index}`, src: `{{${name}}}` }),
        ...(index === 0 ? {} : { visibleWhen: { variable: `p${index - 1}`, set: false } }),
      })),
    ],
  }) as unknown as Template,
  values: Object.fromEntries(names.map((name) => [name, `data:,${name}`])),
  options: { _format: 'png' },
};

const items = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ p: `data:,${index}` })));

/** Stacks that repeat a list of 200 items, beside 190 variables; `isLast`: each has the layer after the items alone. */
function repeated(count: number, isLast: boolean, parts: object): FrontCase {
  const stack = (index: number): object => ({
    ...aLayer('stack', { id: `s${index}`, direction: 'row' }),
    repeat: { list: 'items', ...(isLast ? { max: 100, more: `m${index}` } : { max: 200 }) },
    layers: [{ id: `m${index}`, type: 'image', width: 9, height: 9, src: 'data:,a' }],
    ...parts,
  });
  const list = { type: 'list', fields: [{ name: 'p', type: 'image', value: '' }], value: [] };
  const many = Array.from({ length: 190 }, (_, index) => ({
    name: `t${index}`,
    type: 'text',
    value: '',
  }));
  const document = aTemplate({
    onImageError: 'default',
    clock: { until: '2031-01-01T00:00' },
    animation: { type: 'countdown', frames: 2 },
    variables: [...many, { name: 'items', ...list }],
    layers: Array.from({ length: count }, (_, index) => stack(index)),
  });
  return {
    document: document as unknown as Template,
    values: { items },
    options: { _format: 'gif', _frames: '29' },
  };
}

const everySecond = { visibleWhen: { variable: 'countdown.seconds', notEquals: '77' } };

/** Images of items, whose addresses have one long value that is encoded. */
const longAddresses: FrontCase = {
  document: aTemplate({
    onImageError: 'default',
    animation: {
      type: 'values',
      frames: ['0', '1'].map((v) => ({ seconds: 0.1, values: { v: v.repeat(400) } })),
    },
    variables: [
      { name: 'v', type: 'text', value: '' },
      { name: 'w', type: 'text', value: '' },
      {
        name: 'items',
        type: 'list',
        fields: [{ name: 'p', type: 'image', value: '' }],
        value: [],
      },
    ],
    layers: [
      {
        ...aLayer('stack', { id: 's', direction: 'row' }),
        repeat: { list: 'items', max: 13 },
        layers: Array.from({ length: 30 }, (_, index) => ({
          id: `i${index}`,
          type: 'image',
          width: 9,
          height: 9,
          src: 'https://images.invalid/{{v}}/{{w}}.png',
        })),
      },
    ],
  }) as unknown as Template,
  values: { w: '漢"ß '.repeat(490), items },
  options: { _format: 'gif' },
};

export const hostileCases: readonly FrontCase[] = [
  multipliedFrames,
  failingChain,
  repeated(240, true, {}),
  repeated(10, true, everySecond),
  repeated(1, false, everySecond),
  longAddresses,
];
