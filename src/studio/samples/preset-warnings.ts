/** Says in a few words what a preview's report warns of, and which layer it concerns. */
import type { Template } from '#language/schema/template.ts';
import type { PreviewReport } from '../../client/platen-client.ts';
import { nameOf } from '../panels/layers/names.ts';
import { flattenLayers } from '../state/layers.ts';

/** One warning. */
export interface PresetWarning {
  code: string;
  /** Id of the layer, where one is concerned. */
  layer: string | undefined;
  /** A short sentence with the layer's name and the value that caused it. */
  text: string;
  /** The same where the layer is told otherwise, or there is little room. */
  brief: string;
}

/** Characters of a value that are told. */
const quotedLength = 36;

type LayerReport = PreviewReport['layers'][number];

/** Every warning of a report once, in the order of the layers of the `document` that it is of. */
export function presetWarnings(
  report: Pick<PreviewReport, 'layers' | 'warnings'>,
  document: Pick<Template, 'layers'>,
): PresetWarning[] {
  const names = new Map(flattenLayers(document).map(({ layer }) => [layer.id, nameOf(layer)]));
  const layers = new Map(report.layers.map((layer) => [layer.id, layer]));
  const warnings = report.warnings.map(({ code, layer, detail }): PresetWarning => {
    const brief = explain(code, detail, layers.get(layer ?? ''));
    const text = layer === undefined ? sentence(brief) : `${names.get(layer) ?? layer}: ${brief}`;
    return { code, layer, text, brief: sentence(brief) };
  });
  return warnings.filter(
    ({ layer, text }, index) =>
      warnings.findIndex((other) => other.layer === layer && other.text === text) === index,
  );
}

function explain(code: string, detail: string, layer: LayerReport | undefined): string {
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
      return detail.startsWith('the link would')
        ? detail
        : 'the image cannot be loaded; its default is drawn, or nothing';
    case 'LOW_CONTRAST':
      return text?.contrast === undefined
        ? detail
        : `low contrast, ${text.contrast.toFixed(1)} to 1${neededOf(detail)}`;
    default:
      return detail;
  }
}

/** The service knows how large the letters are, and so what they need. */
function neededOf(detail: string): string {
  const needed = /at least ([\d.]+) to 1/.exec(detail)?.[1];
  return needed === undefined ? '' : `; ${needed} to 1 reads well`;
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = Array.from(line);
  return letters.length <= quotedLength ? line : `${letters.slice(0, quotedLength).join('')}…`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
