/** Finds the problems that layout and image of a row show, each with the variable that causes it. */
import { boundNames, walkStrings } from '#language/bind/bindings.ts';
import { repeatedList } from '#language/bind/list-items.ts';
import { walkLayers, withoutChildren } from '#language/layer-tree.ts';
import type { Template } from '#language/schema/template.ts';
import type { ProvedRow, RenderWarning } from '#wire/render-job.ts';
import type { JobImages } from '../../../render/images/job-images.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import type { ResolvedValues } from '../../../render/values.ts';
import { itemPrefix, defaultText } from '#language/values/list-value.ts';
import type { Problem, ProblemCode } from '../campaign.ts';

/** Size in bytes from which an image is too large for an email: slow on a phone, and cut by some email services. */
export const fileBytesMax = 1_000_000;

/** Width at which emails show images, in design pixels. */
const shownWidth = 600;
/** Letters that appear smaller are hard to read. In design pixels; common advice for the smallest text in emails. */
const shownSizeMin = 12;
/** A text shrunk below this share of its designed size differs too much from the design. */
const shrunkRatioMin = 0.5;

/** Warnings that the template has with its default values too. No value of a row changes them. */
const templateCodes: ReadonlySet<string> = new Set<RenderWarning['code']>([
  'FONT_MISSING',
  'AXIS_MISSING',
  'SVG_FAILED',
  'SVG_UNSUPPORTED',
  'LAYER_SKIPPED',
  'CODE_TOO_SMALL',
]);

/** A row as it was laid out, and the images that failed in it. */
export interface DrawnRow extends ProvedRow {
  failedLayers: JobImages['failedLayers'];
}

/** Finds problems of rows of one template. */
export class RenderProblems {
  readonly #template: PublishedTemplate;
  /** Variables by layer. */
  readonly #variables: ReadonlyMap<string, readonly string[]>;
  readonly #ofTemplate: ReadonlySet<string>;

  /** Problems of the default image. */
  readonly ofTemplate: readonly Problem[];

  constructor(template: PublishedTemplate, defaults: DrawnRow) {
    this.#template = template;
    this.#variables = variablesByLayer(template.document);
    this.ofTemplate = this.#findAll(defaults).map(({ problem }) => problem);
    this.#ofTemplate = new Set(
      this.#findAll(defaults).map(({ problem, layer }) => keyOf(problem.code, layer)),
    );
  }

  /** Returns the problems of a drawn row, without those that the template has in every row. */
  find(drawn: DrawnRow, values: ResolvedValues): Problem[] {
    return this.#findAll(drawn)
      .filter(({ problem, layer }) => !this.#isOfTemplate(problem, layer, values))
      .map(({ problem }) => problem);
  }

  /** Whether the default image has the problem too, and no value of the row affects it. */
  #isOfTemplate(
    { code, message }: Problem,
    layer: string | undefined,
    values: ResolvedValues,
  ): boolean {
    if (!this.#ofTemplate.has(keyOf(code, layer))) return false;
    if (templateCodes.has(code)) return true;
    // The contrast is the same as in the default image, so other values do not affect it.
    if (code === 'LOW_CONTRAST' && this.ofTemplate.some((one) => one.message === message))
      return true;
    const { variables } = this.#template;
    const isDefault = (name: string): boolean => {
      const variable = variables.get(name);
      return variable === undefined || values.get(name) === defaultText(variable);
    };
    // Contrast depends on all colours and images, because any of them may be behind the letters.
    const names =
      code === 'LOW_CONTRAST'
        ? [...variables.values()].filter(({ type }) => type !== 'text').map(({ name }) => name)
        : (this.#variables.get(baseOf(layer)) ?? []);
    return names.every(isDefault);
  }

  #findAll({
    failedLayers,
    warnings,
    proof,
    fileBytes,
  }: DrawnRow): { problem: Problem; layer: string | undefined }[] {
    const problems: { problem: Problem; layer: string | undefined }[] = [];
    const add = (code: ProblemCode, layer: string | undefined, message: string): void => {
      problems.push({ problem: { code, ...this.#variableOf(code, layer), message }, layer });
    };
    for (const [layer, message] of failedLayers) add('IMAGE_FAILED', layer, message);
    for (const { code, layer, detail } of warnings) {
      if (code === 'IMAGE_FAILED' && failedLayers.size > 0) continue;
      add(code, layer, `${layer === undefined ? '' : `layer "${layer}": `}${detail}`);
    }
    for (const { layer, fontSize, designed } of proof.shrunk) {
      if (!this.#isTooSmall(fontSize, designed)) continue;
      const message = `layer "${layer}" is shrunk to ${fontSize.toFixed(0)} px, designed at ${designed} px`;
      add('TEXT_SHRUNK', layer, message);
    }
    if (fileBytes > fileBytesMax) {
      const message = `the image has ${(fileBytes / 1e6).toFixed(1)} MB, more than ${fileBytesMax / 1e6} MB`;
      add('TOO_LARGE', undefined, message);
    }
    return problems;
  }

  #isTooSmall(fontSize: number, designed: number): boolean {
    const shown = fontSize * Math.min(1, shownWidth / this.#template.document.width);
    return shown < shownSizeMin || fontSize < designed * shrunkRatioMin;
  }

  /** The variable of a layer that may cause the problem: the first one of a matching type, or else the first one. */
  #variableOf(code: ProblemCode, layer: string | undefined): Pick<Problem, 'variable'> {
    const names = this.#variables.get(baseOf(layer)) ?? [];
    const type = code === 'LOW_CONTRAST' ? 'color' : code === 'IMAGE_FAILED' ? 'image' : undefined;
    const { variables } = this.#template;
    const variable = names.find((name) => variables.get(name)?.type === type) ?? names[0];
    return variable === undefined ? {} : { variable };
  }
}

function keyOf(code: string, layer: string | undefined): string {
  return `${code} ${baseOf(layer)}`;
}

/** The id of the layer in the document. An item of a repeating stack draws `title` as `title:1`. */
function baseOf(layer = ''): string {
  return layer.replace(/:\d+$/, '');
}

function variablesByLayer({ layers, variables }: Template): Map<string, readonly string[]> {
  const byLayer = new Map<string, readonly string[]>();
  const names = new Map(variables.map((variable) => [variable.name, variable]));
  for (const [, layer, , repeating] of walkLayers(layers)) {
    const list = repeatedList(repeating?.repeat, variables);
    const shell = withoutChildren(layer);
    const found = walkStrings(shell).flatMap(([, text]) => boundNames(text, names));
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
