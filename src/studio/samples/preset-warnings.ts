/** Short texts for the warnings of a preview report, each with its layer. */
import type { PreviewReport } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { zeroSizeWarning } from '../state/layer-sizes.ts';
import { flattenLayers, nameOf } from '../state/layers.ts';
import { textsOutside } from './outside-text.ts';

export interface PresetWarning {
  code: string;
  /** Id of the layer; undefined if the warning concerns no layer. */
  layer: string | undefined;
  /** A short sentence with the layer's name and the value that caused it. */
  text: string;
  /** The sentence without the layer's name, for little space. */
  brief: string;
  /** The sentence without what differs between sets of values, such as the text that does not fit. */
  common: string;
}

/** Characters of a value that are quoted at most. */
const quotedLength = 36;

type LayerReport = PreviewReport['layers'][number];
type Warning = PreviewReport['warnings'][number];

const outsideWords = 'part of the text lies outside of the canvas';

/** Returns each warning of a report once, in the report's order, with the names of the document's layers. */
export function presetWarnings(
  report: Pick<PreviewReport, 'layers' | 'warnings'>,
  document: Pick<Template, 'layers' | 'width' | 'height' | 'animation'>,
): PresetWarning[] {
  const all = flattenLayers(document).map(({ layer }) => layer);
  const names = new Map(all.map((layer) => [layer.id, nameOf(layer)]));
  const layers = new Map(report.layers.map((layer) => [layer.id, layer]));
  const outside = textsOutside(report, document).map((layer): Warning => ({
    code: 'TEXT_OUTSIDE',
    layer,
    detail: outsideWords,
  }));
  const zeroSized = all.flatMap((layer): Warning[] => {
    const detail = zeroSizeWarning(layer);
    return detail === undefined ? [] : [{ code: 'ZERO_SIZE', layer: layer.id, detail }];
  });
  const warnings = [...report.warnings, ...outside, ...zeroSized].map((warning): PresetWarning => {
    const { code, layer } = warning;
    const brief = explain(warning, layers.get(layer ?? ''));
    const withName = (words: string): string =>
      layer === undefined ? sentence(words) : `${names.get(layer) ?? layer}: ${words}`;
    const common = withName(commonWords[code] ?? brief);
    return { code, layer, text: withName(brief), brief: sentence(brief), common };
  });
  return warnings.filter(
    ({ layer, text }, index) =>
      warnings.findIndex((other) => other.layer === layer && other.text === text) === index,
  );
}

/** Words for warnings whose explanation has a part that differs between sets of values. */
const commonWords: Readonly<Record<string, string>> = {
  TEXT_OVERFLOWS: 'does not fit',
  TEXT_TRUNCATED: 'does not fit',
  GLYPH_MISSING: 'no font has some characters',
  LOW_CONTRAST: 'low contrast',
};

function explain({ code, detail, linkStatus }: Warning, layer: LayerReport | undefined): string {
  const text = layer?.text;
  switch (code) {
    case 'TEXT_OVERFLOWS':
    case 'TEXT_TRUNCATED':
      return text === undefined ? detail : `does not fit at “${quoted(text.text)}”`;
    case 'GLYPH_MISSING':
      return text === undefined || text.missingGlyphs.length === 0
        ? detail
        : `no font has ${text.missingGlyphs.slice(0, 6).join(' ')}`;
    case 'IMAGE_FAILED':
      return linkStatus === undefined
        ? 'the image cannot be loaded; its default is drawn, or nothing'
        : detail;
    case 'LOW_CONTRAST':
      return text?.contrast === undefined
        ? detail
        : `low contrast, ${text.contrast.toFixed(1)} to 1${neededOf(text)}`;
    default:
      return detail;
  }
}

function neededOf({ contrastMin }: NonNullable<LayerReport['text']>): string {
  return contrastMin === undefined ? '' : `; ${contrastMin} to 1 reads well`;
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = Array.from(line);
  return letters.length <= quotedLength ? line : `${letters.slice(0, quotedLength).join('')}…`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
