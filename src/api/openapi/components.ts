/** The named schemas of the description: those that validate, and the template language. */
import { documentSchema } from '#language/schema/document.ts';
import type { JsonSchema } from '#language/schema/document.ts';
import * as assets from '../schemas/assets.ts';
import * as errors from '../schemas/errors.ts';
import * as fonts from '../schemas/fonts.ts';
import * as keys from '../schemas/keys.ts';
import * as organization from '../schemas/organization.ts';
import * as preview from '../schemas/preview.ts';
import * as service from '../schemas/service.ts';
import * as templates from '../schemas/templates.ts';

/** Every schema by its name. A fresh object each time. */
export function components(): Record<string, JsonSchema> {
  const named = {
    ...errors,
    ...organization,
    ...templates,
    ...preview,
    ...assets,
    ...fonts,
    ...keys,
    ...service,
  };
  const schemas = JSON.parse(JSON.stringify(named)) as Record<string, JsonSchema>;
  const properties = schemas['PreviewRequest']?.['properties'] as JsonSchema | undefined;
  // The endpoint checks the document layer by layer, for errors that name the property.
  if (properties !== undefined) {
    properties['template'] = { $ref: '#/components/schemas/TemplateDocument' };
  }
  return { ...schemas, ...templateSchemas() };
}

/** The template language, its parts as components of their own: a reference to the inside of one is not for every tool. */
function templateSchemas(): Record<string, JsonSchema> {
  const { $defs, $schema: _draft, $id: _id, ...document } = documentSchema();
  const text = JSON.stringify({ TemplateDocument: document, ...prefixed($defs as JsonSchema) });
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/Template.')) as Record<
    string,
    JsonSchema
  >;
}

function prefixed(parts: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(parts).map(([name, schema]) => [`Template.${name}`, schema]),
  );
}
