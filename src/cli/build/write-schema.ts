/** Writes docs/template.schema.json from the schemas of the template language. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentSchema } from '#language/schema/document.ts';

const path = join(import.meta.dirname, '../../../docs/template.schema.json');
writeFileSync(path, `${JSON.stringify(documentSchema(), null, 1)}\n`);
