/** The law of sizes: a document with sizes is valid if each of them is, as a document without sizes. */
import * as fc from 'fast-check';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { checkTemplate } from '#language/template.ts';
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from './template-arbitrary.ts';
import { changes, unfinish } from './unfinished-arbitrary.ts';

/** Checks the design and each size as a document of its own, which no other check has seen. */
function checkAlone(document: Template): boolean[] {
  const names = [undefined, ...(document.sizes ?? []).map(({ name }) => name)];
  return names.map((name) => checkTemplate(structuredClone(documentInSize(document, name))).ok);
}

t.test('what a size changes is checked as if the size were a document', async (t) => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(sizedTemplates, changes, (values, steps) => {
      const draft = structuredClone(values) as Template;
      unfinish(draft, steps.slice(0, 1));
      const { sizes } = draft;
      fc.pre(Array.isArray(sizes) && Array.isArray(draft.layers));
      const checked = checkTemplate(structuredClone(draft));
      if (checked.ok) {
        seen.valid += 1;
        t.notOk(checkAlone(draft).includes(false), JSON.stringify(draft));
        return;
      }
      seen.invalid += 1;
      // A name that is no size, and a `bySize` that is no object, are problems of the whole document alone.
      const isOfSizes = checked.problems.some(
        ({ path, message }) => /^sizes|\.bySize$/.test(path) || message.includes('is no size'),
      );
      if (!isOfSizes) t.ok(checkAlone(draft).includes(false), JSON.stringify(draft));
    }),
    { numRuns: extent(150, 2000) },
  );
  t.ok(seen.valid > 3 && seen.invalid > 20, JSON.stringify(seen));
});
