import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentSchema } from '#shared/document-schema.ts';
import t from 'tap';
import { Compile } from 'typebox/compile';
import { listCases, readCase } from '../golden/cases.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';

t.test('docs/template.schema.json is current', (t) => {
  const path = join(import.meta.dirname, '../../docs/template.schema.json');
  t.same(
    JSON.parse(readFileSync(path, 'utf8')),
    documentSchema(),
    'else run `node src/cli/write-schema.ts`',
  );
  t.end();
});

t.test('the JSON schema takes what a template is and refuses what it is not', (t) => {
  const validator = Compile(documentSchema());
  for (const name of listCases()) t.ok(validator.Check(readCase(name).template), name);
  t.notOk(validator.Check(aTemplate({ width: 0 })));
  t.notOk(validator.Check(aTemplate({ layers: [aLayer('rect', { fill: 'red' })] })));
  t.notOk(
    validator.Check(aTemplate({ layers: [aLayer('group', { layers: [aLayer('circle')] })] })),
  );
  t.end();
});
