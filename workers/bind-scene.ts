/** Converts a template and its values to concrete layers in paint order, without bindings. */
import type { RenderWarning } from '#wire/render-job.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { ColorFill } from '#language/schema/paint.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { noOrganizationFamilies } from './assets/organization-fonts.ts';

/** The layers that one render draws. Lengths are design pixels. */
export interface Scene {
  width: number;
  height: number;
  /** BCP 47 tag that selects national forms of a script. */
  lang: string;
  /** Font families tried after those of a layer. */
  fonts: readonly string[];
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
): Scene {
  const { background, layers, invalid, invalidBackground } = resolveLayers(template, values);
  const detail = 'a value gives a property that is out of its range; its default stands in';
  return {
    width: template.width,
    height: template.height,
    lang: template.lang ?? 'en',
    fonts: template.fonts ?? [],
    organizationFamilies,
    background,
    layers,
    warnings: [
      ...(invalidBackground ? [{ code: 'VALUE_OUT_OF_RANGE', detail } as const] : []),
      ...invalid.map((layer) => ({ code: 'VALUE_OUT_OF_RANGE', layer, detail }) as const),
    ],
  };
}
