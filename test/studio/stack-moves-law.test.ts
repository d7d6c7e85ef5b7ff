/** The law of moves: a valid document stays one. */
import * as fc from 'fast-check';
import t from 'tap';
import { isParent } from '#language/layer-tree.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { resizeTo } from '../../src/studio/canvas/edit-layers.ts';
import type { Box } from '../../src/studio/canvas/geometry.ts';
import { dropLayers } from '../../src/studio/canvas/gestures/stack-drop.ts';
import { placeLayers } from '../../src/studio/canvas/places.ts';
import { addLayer, newLayerKinds } from '../../src/studio/panels/layers/new-layers.ts';
import {
  duplicateLayers,
  flattenLayers,
  moveLayers,
  removeLayers,
  topmostIds,
} from '../../src/studio/state/layers.ts';
import { groupLayers, stackLayers, ungroup } from '../../src/studio/state/wrap-layers.ts';
import { templates } from '../property/template-arbitrary.ts';

function problemsOf(document: Template): string[] {
  const checked = checkTemplate(JSON.parse(JSON.stringify(document)));
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path} ${message}`);
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
    ),
    chosen: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 3 }),
    target: fc.nat({ max: 30 }),
    index: fc.nat({ max: 4 }),
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
  const places = flattenLayers(draft);
  const ids = chosen.flatMap((at) => places[at % Math.max(1, places.length)]?.layer.id ?? []);
  const boxes = new Map<string, Box>(
    box === null ? [] : places.map(({ layer }) => [layer.id, box]),
  );
  const parents = [undefined, ...places.map(({ layer }) => layer).filter(isParent)];
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
      for (const place of placeLayers(draft, undefined)) {
        if (ids.includes(place.id)) resizeTo(draft, place, box ?? place.box, true);
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
    default:
      return removeLayers(draft, ids);
  }
}

/** The document without lists: a layer that leaves a stack which repeats one binds an item that is no longer there. */
function withoutRepeats(values: unknown): unknown {
  const text = JSON.stringify(values, (key, value: unknown) =>
    key === 'repeat' ? undefined : value,
  );
  return JSON.parse(text.replaceAll('{{item.number}} {{item.title}}', '')) as unknown;
}

t.test(
  'whatever is moved, resized, grouped, stacked, copied and added, the document stays valid',
  (t) => {
    fc.assert(
      fc.property(templates, edits, (values, steps) => {
        const checked = checkTemplate(withoutRepeats(values));
        fc.pre(checked.ok);
        if (!checked.ok) return;
        const draft = structuredClone(checked.template);
        for (const step of steps) {
          apply(draft, step);
          t.strictSame(problemsOf(draft), [], `${step.kind} ${JSON.stringify(step)}`);
        }
      }),
      { numRuns: 300 },
    );
    t.end();
  },
);
