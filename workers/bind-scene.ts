/** Parses a template once, and converts it with its values to concrete layers in paint order, without bindings. */
import type { RenderWarning } from '#wire/render-job.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { ColorFill } from '#language/schema/paint.ts';
import type { RenderLocale } from '#language/bind/binder.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { listRows } from '#language/values/list-value.ts';
import { noOrganizationFamilies } from './assets/organization-fonts.ts';
import { missingDetail, missingIn } from './text/missing.ts';
import { LRUCache } from 'lru-cache';
import { compactBytes } from './heap-bytes.ts';

/** The layers that one render draws. Lengths are design pixels. */
export interface Scene {
  width: number;
  height: number;
  /** BCP 47 tag that selects national forms of a script. */
  lang: string;
  /** Font families tried after those of a layer. */
  fonts: readonly string[];
  /** Replacement of a character that no font has. */
  missingGlyph: NonNullable<Template['missingGlyph']>;
  /** Aliases of the organization's families by their names in lower case. */
  organizationFamilies: ReadonlyMap<string, string>;
  /** Undefined for a transparent image. */
  background: ColorFill | undefined;
  layers: Layer[];
  warnings: RenderWarning[];
}

/** Binds every value and drops hidden layers. Pure: the template does not change. */
export function bindScene(
  template: Template,
  values: ReadonlyMap<string, string>,
  organizationFamilies: ReadonlyMap<string, string> = noOrganizationFamilies,
  locale: RenderLocale = {},
): Scene {
  const drawable = withDrawableValues(template, values, organizationFamilies);
  const resolved = resolveLayers(template, drawable.values, locale);
  const { background, layers, invalid, invalidBackground, unformatted } = resolved;
  const detail =
    'a property has a value that is out of its range, so its default is used, or none, so it is left out';
  return {
    width: template.width,
    height: template.height,
    lang: locale.lang ?? template.lang ?? 'en',
    fonts: template.fonts ?? [],
    missingGlyph: template.missingGlyph ?? 'box',
    organizationFamilies,
    background,
    layers,
    warnings: [
      ...drawable.warnings,
      ...(invalidBackground ? [{ code: 'VALUE_OUT_OF_RANGE', detail } as const] : []),
      ...invalid.map((layer) => ({ code: 'VALUE_OUT_OF_RANGE', layer, detail }) as const),
      ...unformatted.map(([layer, problem]) => {
        return { code: 'FORMAT_FAILED', layer, detail: problem } as const;
      }),
    ],
  };
}

/**
 * Replaces each value that has a character without a glyph by its default, if the template says so. The decision is
 * the same for all layers that draw the value.
 */
function withDrawableValues(
  { missingGlyph, variables, lang = 'en' }: Template,
  values: ReadonlyMap<string, string>,
  organizationFamilies: ReadonlyMap<string, string>,
): { values: ReadonlyMap<string, string>; warnings: RenderWarning[] } {
  const warnings: RenderWarning[] = [];
  if (missingGlyph !== 'default') return { values, warnings };
  const drawable = new Map(values);
  const files = [...organizationFamilies.values()];
  for (const variable of variables) {
    const { name, type } = variable;
    const text = values.get(name) ?? '';
    if (type !== 'text' && type !== 'list') continue;
    const texts = type === 'list' ? itemTexts(variable, text) : text;
    const characters = missingIn(texts, files, lang);
    if (characters.length === 0) continue;
    const standard =
      type === 'list' ? withDrawableItems(variable, text, characters) : variable.value;
    drawable.set(name, standard);
    const replaced = type === 'list' ? 'values' : 'the value';
    const detail = `${missingDetail(characters)}: the default replaces ${replaced} of "${name}"`;
    warnings.push({ code: 'GLYPH_MISSING', detail, characters });
  }
  return { values: drawable, warnings };
}

/** Returns all texts of a list's items as one text, so that the fonts are searched once per list. */
function itemTexts({ fields }: ListVariable, list: string): string {
  const texts = listRows(list).flatMap((row) => row.filter((_, at) => fields[at]?.type === 'text'));
  return texts.join(' ');
}

/** Returns a list in which the defaults of fields replace the texts that have one of the characters. */
function withDrawableItems(
  { fields }: ListVariable,
  list: string,
  characters: readonly string[],
): string {
  const rows = listRows(list).map((row) =>
    row.map((text, at) => {
      const field = fields[at];
      const isMissing = characters.some((character) => text.includes(character));
      return field?.type === 'text' && isMissing ? field.value : text;
    }),
  );
  return JSON.stringify(rows);
}

// The cache of parsed templates: a render host parses each document once.

/** Part of the 256 MiB heap of a thread: some 3000 usual documents, of 2 KB of text. */
const cachedBytesMax = 32 * 1024 * 1024;

const templates = new LRUCache<string, Template>({ maxSize: cachedBytesMax });

/** Returns the template of a job. Its document was validated when it was saved. */
export function parseTemplate(templateKey: string, templateJson: string): Template {
  const known = templates.get(templateKey);
  if (known !== undefined) return known;
  const template = JSON.parse(templateJson) as Template;
  templates.set(templateKey, template, { size: compactBytes([templateKey, template]) });
  return template;
}
