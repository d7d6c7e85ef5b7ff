/** The form of conditions: what it reads and writes. */
import * as fc from 'fast-check';
import t from 'tap';
import { annotatedSchema } from '#language/schema/document.ts';
import type { Variable } from '#language/schema/template.ts';
import {
  conditionList,
  conditionOf,
  firstOperand,
  operatorsOf,
  questionsOf,
  writtenList,
} from '../../src/studio/panels/conditions/conditions.ts';
import { layerFields } from '../../src/studio/panels/fields/schema-fields.ts';
import { validTemplate } from '../helpers/render.ts';
import { documentOf, listOf } from './documents.ts';

const variables: Variable[] = [
  { name: 'tier', type: 'text', value: 'Gold' },
  { name: 'points', type: 'number', value: '7' },
  { name: 'limit', type: 'number', value: '5' },
  { name: 'ends', type: 'date', value: '2026-12-31' },
  { name: 'isNew', type: 'boolean', value: 'true' },
  { name: 'tone', type: 'color', value: '#ff0000' },
  { name: 'photo', type: 'image', value: '' },
  listOf('items', { title: ['text', ''], price: ['number', '0'] }, [{ title: 'Tea' }]),
];

const box = { x: 20, y: 20, width: 100, height: 40 };

t.test('whatever the form begins with is a condition that the service takes', async (t) => {
  for (const variable of variables) {
    const asked = operatorsOf(variable.type).map(([operator]) =>
      conditionOf(variable, [{ operator, operand: firstOperand(operator, variable.type) }], true),
    );
    t.ok(asked.length >= 2, variable.type);
    for (const visibleWhen of [...asked, asked.slice(0, 8)]) {
      const layer = { id: 'a', type: 'rect', ...box, visibleWhen };
      t.ok(validTemplate(documentOf([layer], { variables })));
    }
  }
});

t.test('a condition that the form reads and writes is the same', async (t) => {
  const text = fc.constantFrom('', 'Gold', '{{tier}}', 'a, b');
  const condition = fc.record(
    {
      variable: fc.constant('tier'),
      set: fc.boolean(),
      equals: text,
      notEquals: text,
      oneOf: fc.array(text, { minLength: 1, maxLength: 3 }),
      greaterThan: fc.oneof(fc.integer(), fc.constantFrom('{{points}}')),
      lessThan: fc.double({ noNaN: true, noDefaultInfinity: true }),
    },
    { requiredKeys: ['variable', 'equals'] },
  );
  fc.assert(
    fc.property(condition, fc.boolean(), (written, ignores) => {
      const whole = ignores ? { ...written, ignoreCase: true } : written;
      const tier = { name: 'tier', type: 'text' } as const;
      t.strictSame(conditionOf(tier, questionsOf(whole), ignores), { ...whole });
      for (const value of [undefined, whole, [whole, { not: whole }]]) {
        t.strictSame(writtenList(conditionList(value)), value);
      }
    }),
    { numRuns: 100 },
  );
});

t.test('the bounds of the form are those of the schema', async (t) => {
  const field = layerFields(annotatedSchema(), 'rect').find(({ name }) => name === 'visibleWhen');
  t.match(field?.kind, { type: 'conditions', most: 8, innerMost: 8, levels: 2 });
  t.match(field?.kind, { hints: { equals: /the value is this/, ignoreCase: /capitals/ } });
});
