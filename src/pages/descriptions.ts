/**
 * The descriptions of `docs/` for tools, which `npm run docs` makes: making them takes 150 ms, so no request does. Built
 * code reads them from `dist/`.
 */
import { readFileSync } from 'node:fs';
import { annotatedSchema } from '#language/schema/document.ts';
import { isBuilt, packagePath } from '#paths.ts';

/** The address of the service in `openapi.json`. */
export const describedBase = 'http://localhost:3000';

const descriptionNames = ['openapi.json', 'template.schema.json'] as const;

type DescriptionName = (typeof descriptionNames)[number];

export const descriptionFiles: readonly string[] = descriptionNames.map((name) => `docs/${name}`);

/** A description without white space. */
export function readDescription(name: DescriptionName): string {
  return isBuilt ? readFileSync(packagePath(`dist/${name}`), 'utf8') : narrow(name);
}

/** The studio derives its panels from this schema, which it loads. */
export const studioSchema = 'template.schema.json';

/** The files of `dist/` by name. */
export function makeDescriptions(): Map<string, string> {
  const schema = JSON.stringify(annotatedSchema());
  return new Map([
    ...descriptionNames.map((name): [string, string] => [name, narrow(name)]),
    [`studio/${studioSchema}`, schema],
  ]);
}

function narrow(name: DescriptionName): string {
  return JSON.stringify(JSON.parse(readFileSync(packagePath(`docs/${name}`), 'utf8')));
}
