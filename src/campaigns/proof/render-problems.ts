/** The problems of a row that its layout and its image show, each with the variable that causes it. */
import { boundNames, walkStrings } from '#language/bind/bindings.ts';
import { itemPrefix, repeatedList } from '#language/bind/list-items.ts';
import { isParent, walkLayers } from '#language/layer-tree.ts';
import type { Template } from '#language/schema/template.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DrawnOrder } from '../../render/draw.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { Problem } from '../campaign.ts';

/** Bytes from which an image is too large for an email: slow on a phone, and cut by some email services. */
export const fileBytesMax = 1_000_000;

/** Width at which emails show images, design pixels. */
const shownWidth = 600;
/** Letters below this size, as shown, are hard to read: the smallest size of text in emails by common advice. */
const shownSizeMin = 12;
/** A text below this share of its designed size does not look as the designer saw it. */
const shrunkRatioMin = 0.5;

/** Warnings that the template has with its default values too are its own, not those of a row. */
const templateCodes: ReadonlySet<string> = new Set<RenderWarning['code']>([
  'FONT_MISSING',
  'AXIS_MISSING',
  'LOW_CONTRAST',
  'SVG_FAILED',
  'SVG_UNSUPPORTED',
  'LAYER_SKIPPED',
  'CODE_TOO_SMALL',
]);

/** Finds problems of rows of one template. */
export class RenderProblems {
  readonly #template: PublishedTemplate;
  /** Variables by layer. */
  readonly #variables: ReadonlyMap<string, readonly string[]>;
  readonly #ofTemplate: ReadonlySet<string>;

  /** `defaults` are the warnings of the template's default image. */
  constructor(template: PublishedTemplate, defaults: readonly RenderWarning[]) {
    this.#template = template;
    this.#variables = variablesByLayer(template.document);
    this.#ofTemplate = new Set(
      defaults
        .filter(({ code }) => templateCodes.has(code))
        .map(({ code, layer }) => keyOf(code, layer)),
    );
  }

  /** The problems of a drawn row. */
  find({ images, outcome }: DrawnOrder): Problem[] {
    const problems: Problem[] = [];
    for (const [layer, message] of images.failedLayers) {
      problems.push({ code: 'IMAGE_FAILED', ...this.#variableOf(layer), message });
    }
    for (const { code, layer, detail } of outcome.warnings) {
      if (this.#ofTemplate.has(keyOf(code, layer))) continue;
      if (code === 'IMAGE_FAILED' && images.failedLayers.size > 0) continue;
      const subject = layer === undefined ? '' : `layer "${layer}": `;
      problems.push({ code, ...this.#variableOf(layer), message: `${subject}${detail}` });
    }
    for (const { layer, fontSize, designed } of outcome.proof?.shrunk ?? []) {
      if (!this.#isTooSmall(fontSize, designed)) continue;
      const message = `layer "${layer}" is shrunk to ${fontSize.toFixed(0)} px, designed at ${designed} px`;
      problems.push({ code: 'TEXT_SHRUNK', ...this.#variableOf(layer), message });
    }
    const bytes = outcome.bytes.byteLength;
    if (bytes > fileBytesMax) {
      const message = `the image has ${(bytes / 1e6).toFixed(1)} MB, more than ${fileBytesMax / 1e6} MB`;
      problems.push({ code: 'TOO_LARGE', message });
    }
    return problems;
  }

  #isTooSmall(fontSize: number, designed: number): boolean {
    const shown = fontSize * Math.min(1, shownWidth / this.#template.document.width);
    return shown < shownSizeMin || fontSize < designed * shrunkRatioMin;
  }

  /** The variable that a layer binds; the first of several. */
  #variableOf(layer: string | undefined): Pick<Problem, 'variable'> {
    const [variable] = this.#variables.get(layer ?? '') ?? [];
    return variable === undefined ? {} : { variable };
  }
}

function keyOf(code: string, layer: string | undefined): string {
  return `${code} ${layer ?? ''}`;
}

function variablesByLayer({ layers, variables }: Template): Map<string, readonly string[]> {
  const byLayer = new Map<string, readonly string[]>();
  const names = new Map(variables.map((variable) => [variable.name, variable]));
  for (const [, layer, , repeating] of walkLayers(layers)) {
    const list = repeatedList(repeating?.repeat, variables);
    const own: object = isParent(layer) ? { ...layer, layers: [] } : layer;
    const found = [...walkStrings(own)].flatMap(([, text]) => boundNames(text, names));
    const bound = found.map((name) =>
      list !== undefined && name.startsWith(itemPrefix) ? list.name : name,
    );
    byLayer.set(
      layer.id,
      [...new Set(bound)].filter((name) => names.has(name)),
    );
  }
  return byLayer;
}
