/** The law of moves: a valid document stays one. */
import * as fc from 'fast-check';
import t from 'tap';
import { isParent, walkLayers } from '#language/layer-tree.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { resizeTo } from '../../src/studio/canvas/edit-layers.ts';
import type { Box } from '../../src/studio/canvas/geometry.ts';
import { dropLayers } from '../../src/studio/canvas/gestures/stack-drop.ts';
import { placeLayers } from '../../src/studio/canvas/layer-geometry.ts';
import { addLayer } from '../../src/studio/panels/layers/add-layers.ts';
import { newLayerKinds } from '../../src/studio/panels/layers/new-layers.ts';
import { removeVariable } from '../../src/studio/panels/variables/variables.ts';
import {
  duplicateLayers,
  flattenLayers,
  moveLayers,
  removeLayers,
  topmostIds,
} from '../../src/studio/state/layers.ts';
import { editInSize } from '../../src/studio/state/sizes.ts';
import { groupLayers, stackLayers, ungroup } from '../../src/studio/state/wrap-layers.ts';
import { sizedTemplates } from '../property/template-arbitrary.ts';
import { extent } from '../helpers/extent.ts';

function problemsOf(document: Template): string[] {
  const checked = checkTemplate(JSON.parse(JSON.stringify(document)));
  const problems = checked.ok ? [] : checked.problems;
  // What is copied, or comes into a stack that repeats, may cost more than a document may: a budget of the whole.
  return problems.flatMap(({ path, message }) => (path === 'layers' ? [] : [`${path} ${message}`]));
}

/** One edit of a document; numbers choose among what is there. */
const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'move',
      'drop',
      'resize',
      'group',
      'stack',
      'ungroup',
      'duplicate',
      'add',
      'remove',
      'endRepeat',
      'deleteField',
      'deleteVariable',
    ),
    chosen: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 3 }),
    target: fc.nat({ max: 30 }),
    index: fc.nat({ max: 4 }),
    size: fc.constantFrom(undefined, 'story', 'tall'),
    box: fc.option(
      fc.record({
        x: fc.double({ min: -500, max: 500, noNaN: true }),
        y: fc.double({ min: -500, max: 500, noNaN: true }),
        width: fc.double({ min: 0, max: 900, noNaN: true }),
        height: fc.double({ min: 0, max: 900, noNaN: true }),
        rotation: fc.constantFrom(0, 30),
      }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

const corner = { x: 0, y: 0 };

type Edit = typeof edits extends fc.Arbitrary<Array<infer One>> ? One : never;

function apply(draft: Template, { kind, chosen, target, index, box }: Edit): void {
  const positions = flattenLayers(draft);
  const ids = chosen.flatMap((at) => positions[at % Math.max(1, positions.length)]?.layer.id ?? []);
  const boxes = new Map<string, Box>(
    box === null ? [] : positions.map(({ layer }) => [layer.id, box]),
  );
  const parents = [undefined, ...positions.map(({ layer }) => layer).filter(isParent)];
  switch (kind) {
    case 'move':
      return moveLayers(draft, ids, parents[target % parents.length]?.id, index, boxes);
    case 'drop': {
      const all = placeLayers(draft, undefined);
      const stacks = parents.filter((each) => each?.type === 'stack');
      const stack = [undefined, ...stacks][target % (stacks.length + 1)];
      const line = [corner, corner] as const;
      const to = stack && { stack: stack.id, index, line };
      const moving = all.filter(({ id }) => topmostIds(draft, ids).includes(id));
      return dropLayers(draft, moving, box ?? corner, to, all);
    }
    case 'resize':
      for (const position of placeLayers(draft, undefined)) {
        if (ids.includes(position.id)) resizeTo(draft, position, box ?? position.box, true);
      }
      return undefined;
    case 'group':
      return void groupLayers(draft, ids, boxes);
    case 'stack':
      return void stackLayers(draft, ids, boxes);
    case 'ungroup':
      return void ungroup(draft, parents[target % parents.length]?.id ?? '', boxes);
    case 'duplicate':
      return void duplicateLayers(draft, ids, 10);
    case 'add':
      return void addLayer(draft, newLayerKinds[target % newLayerKinds.length] ?? 'text', ids);
    case 'endRepeat':
      for (const { layer } of positions)
        if (ids.includes(layer.id) && 'repeat' in layer) delete layer.repeat;
      return undefined;
    case 'deleteField':
      for (const list of draft.variables) {
        if (list.type === 'list' && list.fields.length > 1)
          removeField(list, target % list.fields.length);
      }
      return undefined;
    case 'deleteVariable':
      return removeVariable(draft, draft.variables[target % draft.variables.length]?.name ?? '');
    default:
      return removeLayers(draft, ids);
  }
}

/** As the panel of variables does it. */
function removeField(list: ListVariable, index: number): void {
  const [field] = list.fields.splice(index, 1);
  for (const item of list.value) delete item[field?.name ?? ''];
}

const list = {
  name: 'items',
  type: 'list',
  fields: [
    { name: 'title', type: 'text', value: 'Tea' },
    { name: 'part', type: 'number', value: '0.5' },
    { name: 'tone', type: 'color', value: '#0a7' },
    { name: 'isNew', type: 'boolean', value: 'true' },
    { name: 'photo', type: 'image', value: 'photo' },
  ],
  value: [{ title: '{{text}} <&>', part: '1', tone: '#f008' }, { isNew: 'false' }, {}],
};

const other = {
  name: 'others',
  type: 'list',
  fields: [
    { name: 'title', type: 'number', value: '2' },
    { name: 'part', type: 'text', value: 'half' },
  ],
  value: [],
};

const questions = [
  { variable: 'item.title', equals: '{{text}}', ignoreCase: true },
  { variable: 'item.isNew', set: true },
  {
    all: [
      { variable: 'text', set: true },
      { not: { variable: 'item.part', lessThan: '{{number}}' } },
    ],
  },
  {
    any: [
      { variable: 'item.tone', oneOf: ['#f00', '#0a7'] },
      { variable: 'number', equals: '{{item.part}}' },
    ],
  },
];

/** The same document, whose layers in stacks that repeat bind items in every way, from two lists. */
function withItems(values: unknown): unknown {
  const document = structuredClone(values) as Template;
  document.variables = [
    ...document.variables.filter(({ name }) => name !== 'items'),
    list,
    other,
  ] as Template['variables'];
  for (const [index, [, layer, , repeating]] of [...walkLayers(document.layers)].entries()) {
    if (layer.type === 'stack' && layer.repeat !== undefined) {
      if (index % 3 === 0) layer.repeat.list = 'others';
      if (index % 2 === 0 && layer.layers[0] !== undefined) layer.repeat.more = layer.layers[0].id;
    }
    if (repeating !== undefined) bindItems(layer, index, repeating.repeat?.list);
  }
  return document;
}

function bindItems(layer: Record<string, unknown>, index: number, from: string | undefined): void {
  const { type } = layer;
  if (type === 'text' && layer['text'] !== undefined) {
    layer['text'] = '{{item.number}}/{{item.more}} {{item.title | default:x | upper}} {{text}}';
  }
  if (from !== 'items') return;
  layer['opacity'] = ['{{item.part}}', '{{item.part | range:0,9,0,1}}', 0.5][index % 3];
  layer['visible'] = index % 2 === 0 ? '{{item.isNew}}' : true;
  layer['visibleWhen'] = index % 5 === 4 ? questions.slice(0, 2) : questions[index % 5];
  if (type === 'rect')
    layer['fill'] = {
      gradient: 'linear',
      stops: [
        { offset: 0, color: '{{item.tone}}' },
        { offset: '{{item.part}}', color: '#fff' },
      ],
    };
  if (type === 'image')
    layer['src'] = ['{{item.photo}}', 'https://example.com/{{item.title}}'][index % 2];
  if (type === 'qr') layer['value'] = '{{item.title}}';
  if (type === 'text' && Array.isArray(layer['spans'])) {
    layer['spans'] = [
      { text: '{{item.title}}', color: '{{item.tone}}', visibleWhen: questions[index % 4] },
      ...layer['spans'],
    ].slice(0, 2 - (index % 2));
  }
}

t.test(
  'whatever is moved, resized, grouped, stacked, copied, added and deleted, the document stays valid',
  (t) => {
    fc.assert(
      fc.property(sizedTemplates, edits, (values, steps) => {
        const checked = checkTemplate(withItems(values));
        fc.pre(checked.ok);
        if (!checked.ok) return;
        let { template } = checked;
        for (const step of steps) {
          template = editInSize(template, step.size, (draft) => apply(draft, step)).document;
          t.strictSame(problemsOf(template), [], `${step.kind} ${JSON.stringify(step)}`);
        }
      }),
      { numRuns: extent(60, 200) },
    );
    t.end();
  },
);
