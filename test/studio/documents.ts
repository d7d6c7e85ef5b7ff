/** Documents for tests of the studio, no longer than what they are about. */
import type { ListVariable, ScalarVariable, Template } from '#language/schema/template.ts';

/** A document of 400 by 300 that is not checked. */
export function documentOf(layers: readonly unknown[], more: object = {}): Template {
  const size = { width: 400, height: 300 };
  const document: object = { format: 1, name: 'Card', ...size, variables: [], layers, ...more };
  return document as Template;
}

/** A list of items whose fields have these types and values. */
export function listOf(
  name: string,
  fields: Readonly<Record<string, readonly [type: ScalarVariable['type'], value: string]>>,
  value: ListVariable['value'],
): ListVariable {
  const made = Object.entries(fields).map(([field, [type, standard]]) => {
    return { name: field, type, value: standard };
  });
  return { name, type: 'list', fields: made, value };
}
