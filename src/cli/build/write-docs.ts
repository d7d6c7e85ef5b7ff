/** `npm run docs`: writes the generated documents and types. */
import { writeFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import { generatedDocs } from './generated-docs.ts';

for (const [path, text] of Object.entries(generatedDocs())) writeFileSync(packagePath(path), text);
