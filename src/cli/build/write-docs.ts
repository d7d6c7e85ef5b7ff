/** Writes the pages that are made from the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocs } from './generated-docs.ts';

const repository = join(import.meta.dirname, '../../..');
for (const [path, text] of Object.entries(generatedDocs())) {
  writeFileSync(join(repository, path), text);
}
