/** What a render binds to the properties of a template: values, their types, and what formats depend on. */
import type { Template, VariableType } from '../schema/template.ts';
import { defaultText } from '../values/list-value.ts';
import type { FormatContext } from '../values/value-formats.ts';

/** The values that a template's properties are bound to. */
export interface Binder {
  values: ReadonlyMap<string, string>;
  defaults: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, VariableType>;
  /** What formats depend on. */
  context: FormatContext;
}

/** What a render says beside its values. */
export interface RenderLocale {
  /** In place of the document's language. */
  lang?: string | undefined;
  /** See `renderTimeMs`; absent for a template that needs no clock. */
  timeMs?: number | undefined;
}

/** What the formats of a template depend on. */
export function formatContext(
  { lang: documentLang }: Pick<Template, 'lang'>,
  { lang = documentLang ?? 'en', timeMs = 0 }: RenderLocale,
): FormatContext {
  return { lang, documentLang, timeMs, problems: [] };
}

/** Values and defaults of a template's variables, ready to bind. */
export function createBinder(
  template: Template,
  values: ReadonlyMap<string, string>,
  locale: RenderLocale = {},
): Binder {
  const { variables } = template;
  return {
    context: formatContext(template, locale),
    values,
    defaults: new Map(variables.map((variable) => [variable.name, defaultText(variable)])),
    types: new Map(variables.map(({ name, type }) => [name, type])),
  };
}
