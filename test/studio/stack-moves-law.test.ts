/** The law of moves: a valid document stays one. */
import * as fc from 'fast-check';
import t from 'tap';
import { isParent } from '#language/layer-tree.ts';
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
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from '../property/template-arbitrary.ts';
import { problemsOf } from './built-layers.ts';

/** What is copied, or comes into a stack that repeats, may cost more than a document may: a budget of the whole. */
const flawsOf = (document: Template): object[] =>
  problemsOf(document).filter(({ path }) => path !== 'layers');

const at = fc.double({ min: -500, max: 500, noNaN: true });
const side = fc.double({ min: 0, max: 900, noNaN: true });

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
      fc.record({ x: at, y: at, width: side, height: side, rotation: fc.constantFrom(0, 30) }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

const corner = { x: 0, y: 0 };

type Edit = typeof edits extends fc.Arbitrary<Array<infer One>> ? One : never;

function apply(draft: Template, { kind, chosen, target, index, box }: Edit): void {
  const positions = flattenLayers(draft);
  const ids = chosen.flatMap(
    (each) => positions[each % Math.max(1, positions.length)]?.layer.id ?? [],
  );
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

t.test('whatever is moved, made, copied and deleted, the document stays valid', async (t) => {
  fc.assert(
    fc.property(sizedTemplates, edits, (values, steps) => {
      const checked = checkTemplate(JSON.parse(JSON.stringify(values)));
      fc.pre(checked.ok);
      if (!checked.ok) return;
      let { template } = checked;
      for (const step of steps) {
        template = editInSize(template, step.size, (draft) => apply(draft, step)).document;
        t.strictSame(flawsOf(template), [], `${step.kind} ${JSON.stringify(step)}`);
      }
    }),
    { numRuns: extent(60, 200) },
  );
});
