/** The law of edits in a size: they change what the size shows, and nothing that another shows. */
import * as fc from 'fast-check';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { checkTemplate } from '#language/template.ts';
import { flattenLayers } from '../../src/studio/state/layers.ts';
import { edit } from '../../src/studio/state/list-items.ts';
import { editInSize, viewOf } from '../../src/studio/state/sizes.ts';
import { sizedTemplates } from '../property/template-arbitrary.ts';
import { extent } from '../helpers/extent.ts';

t.test('a size shows what was edited in it; the canvas and other sizes stay', async (t) => {
  const moves = fc.record({
    at: fc.nat({ max: 30 }),
    x: fc.integer({ min: -99, max: 99 }),
    width: fc.integer({ min: 1, max: 99 }),
    visible: fc.boolean(),
  });
  fc.assert(
    fc.property(sizedTemplates, fc.array(moves, { maxLength: 4 }), (values, steps) => {
      const checked = checkTemplate(JSON.parse(JSON.stringify(values)));
      fc.pre(checked.ok);
      if (!checked.ok) return;
      let { template } = checked;
      for (const { at, ...box } of steps) {
        const change = (draft: Template): void => {
          const positions = flattenLayers(draft);
          const { layer, group } = positions[at % Math.max(1, positions.length)] ?? {};
          if (layer === undefined) return;
          const { x, ...rest } = box;
          Object.assign(layer, rest, group?.type === 'stack' ? {} : { x });
          delete layer.minWidth;
          delete layer.maxWidth;
        };
        const expected = edit(viewOf(template, 'story'), change).document;
        const { document } = editInSize(template, 'story', change);
        t.strictSame(viewOf(document, 'story'), expected, 'the size');
        for (const sibling of ['tall', undefined]) {
          const [before, after] = [template, document].map((each) => documentInSize(each, sibling));
          t.strictSame(after, before, sibling ?? 'the canvas');
        }
        template = document;
      }
    }),
    { numRuns: extent(40, 150) },
  );
});
