/** Choices for the image of a campaign: size, format and scale. All runs of the campaign use them. */
import { defaultFormat, outputFormats } from '#language/formats.ts';
import type { Template } from '#language/schema/template.ts';
import { renderFormats, renderScales } from '#wire/render-job.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { CampaignRunRequest } from '../../client/platen-client.ts';
import { emailWidthPx, scaleFor } from '../../pages/browser/email-snippets.ts';
import { snippetTemplate } from '../publish/share-links.ts';

/** Choices of the user. Empty or 0 means the default for the template and the email. */
export interface ImageChoices {
  size: string;
  format: string;
  /** Pixels of the file for each design pixel. 0 means the scale for twice the width in the email. */
  scale: number;
  /** Width of the image in the email, CSS px. */
  widthPx: number;
}

export const firstImage: ImageChoices = { size: '', format: '', scale: 0, widthPx: emailWidthPx };

/** The options of a run that determine the pixels of an image. */
export type ImageOptions = Pick<CampaignRunRequest, 'size' | 'format' | 'scale'>;

/** Converts choices to options of a run. Leaves out options that equal the defaults of the template. */
export function imageOptions(
  uid: string,
  template: Template,
  { size, format, scale, widthPx }: ImageChoices,
): ImageOptions {
  const needed = scaleFor(snippetTemplate(uid, template, size), widthPx);
  const used = scale === 0 ? needed : scale;
  return {
    ...(size === '' ? {} : { size }),
    ...(format === '' ? {} : { format: format as RenderFormat }),
    ...(used > 1 ? { scale: used } : {}),
  };
}

/** The choices that a run was started with. */
export function choicesOf(
  { options: { size = '', format, scale = 1 } }: { options: ImageOptions },
  uid: string,
  template: Template,
): ImageChoices {
  const chosen: ImageChoices = { ...firstImage, size, format: format ?? '' };
  const { scale: needed = 1 } = imageOptions(uid, template, chosen);
  return { ...chosen, scale: scale === needed ? 0 : scale };
}

/** Whether runs with these options render the same image for a row. */
export function isSameImage(a: ImageOptions, b: ImageOptions): boolean {
  return (['size', 'format', 'scale'] as const).every((name) => a[name] === b[name]);
}

/** An entry of a select field. */
export type Choice = readonly [value: string, text: string];

/** Formats that a link may name, with labels. Empty if links may not choose a format. */
export function formatChoices({ output, linkOptions }: Template): Choice[] {
  if (linkOptions?.includes('format') === false) return [];
  const usual = outputFormats[output?.format ?? defaultFormat].name;
  return [
    ['', `${usual}, as designed`],
    ...renderFormats.map((format): Choice => [format, outputFormats[format].name]),
  ];
}

/** Formats that Outlook on Windows does not show. */
const newFormats = new Set<string>(['webp', 'avif']);

/** Whether all common email programs show the format. */
export function isShownEverywhere({ format }: ImageChoices, { output }: Template): boolean {
  return !newFormats.has(format === '' ? (output?.format ?? defaultFormat) : format);
}

/** Pixel sizes of the file, one for each scale that links may use. Empty if only scale 1 is allowed. */
export function scaleChoices(uid: string, template: Template, choices: ImageChoices): Choice[] {
  const { width, height, scaleMax } = snippetTemplate(uid, template, choices.size);
  if (scaleMax === 1) return [];
  const { scale: needed = 1 } = imageOptions(uid, template, { ...choices, scale: 0 });
  const pixels = (scale: number): string => `${width * scale} × ${height * scale} px`;
  const others = renderScales.filter((scale) => scale <= scaleMax && scale !== needed);
  return [
    ['0', `${pixels(needed)}, as needed`],
    ...others.map((scale): Choice => [String(scale), pixels(scale)]),
  ];
}
