/** Writes docs/template.schema.json from the schemas of the template language. */
import { writeFileSync } from 'node:fs';
import { documentSchema } from '#language/schema/document.ts';
import { packagePath } from '#paths.ts';

const text = `${JSON.stringify(documentSchema(), null, 1)}\n`;
writeFileSync(packagePath('docs/template.schema.json'), text);
