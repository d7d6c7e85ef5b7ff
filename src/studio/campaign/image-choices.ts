/** The image of a campaign: its size, format and pixels. The proof, the links, the files and the warm images share it. */
import { defaultFormat, outputFormats } from '#language/formats.ts';
import type { Template } from '#language/schema/template.ts';
import { renderFormats, renderScales } from '#wire/render-job.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { CampaignRunRequest } from '../../client/platen-client.ts';
import { emailWidthPx, scaleFor } from '../../pages/snippets.ts';
import { snippetTemplate } from '../publish/share-links.ts';

/** What somebody has chosen; empty and 0: what the template and the email need. */
export interface ImageChoices {
  size: string;
  format: string;
  /** Pixels of the file a design pixel; 0: twice those of the email. */
  scale: number;
  /** Width in the email. */
  widthPx: number;
}

export const firstImage: ImageChoices = { size: '', format: '', scale: 0, widthPx: emailWidthPx };

/** The options of a run that decide on pixels. */
export type ImageOptions = Pick<CampaignRunRequest, 'size' | 'format' | 'scale'>;

/** The choices as options of a run; those of the template are left out. */
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

/** Whether two runs make the same pixels of a row. */
export function isSameImage(a: ImageOptions, b: ImageOptions): boolean {
  return (['size', 'format', 'scale'] as const).every((name) => a[name] === b[name]);
}

/** An option of a field. */
export type Choice = readonly [value: string, text: string];

/** Formats that a link may have, by their names for people; one without a choice is empty. */
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

/** Pixels that the file may have, for the scales that links may ask for; without a choice empty. */
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
