/** Builds links and their snippets: HTML, Markdown and curl, with typed values or an email service's merge tags. */
import { linkAttribute, textAttribute } from './tagged-attributes.ts';
import type { DescriptionPiece, ImageDescription } from './tagged-attributes.ts';
import type { EmailService } from './merge-tag.ts';
import { encodeValue, mergeTag } from './merge-tag.ts';

/** What a snippet needs of a template. */
export interface SnippetTemplate {
  name: string;
  /** Last segment of its links, with the extension. */
  file: string;
  /** Design pixels. */
  width: number;
  height: number;
  /** What its images say. */
  texts: readonly ImageText[];
  /** The largest `_scale` that its links may ask for. */
  scaleMax: number;
  /** The published version that links name; undefined: they show the newest. */
  version?: number | undefined;
  /** The size that links name; undefined: the template's own. */
  size?: string | undefined;
}

/** One variable of a link. */
export interface SnippetValue {
  name: string;
  /** What was typed; empty leaves the variable out, and the template's default is drawn. */
  value: string;
  /** The email service replaces it by a contact's value. */
  isPersonal: boolean;
}

/** The fallback of a merge tag: the default of the variable. */
export type Fallbacks = Readonly<Record<string, string>>;

/** The link of typed values, from `v1` on: relative, so that it also works below a path of a proxy. */
export function renderPath(template: SnippetTemplate, values: readonly SnippetValue[]): string {
  const pairs = values
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${encodeValue(name)}=${encodeValue(value)}`);
  return withQuery(`v1/render/${template.file}`, [...optionPairs(template), ...pairs]);
}

/** The link with tags in place of personal values. Tags come last: what an unencoded one holds cannot hide another value. */
export function taggedPath(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService,
  fallbacks: Fallbacks,
): string {
  return withQuery(
    `v1/render/${template.file}`,
    taggedPairs(template, values, emailService, fallbacks),
  );
}

function taggedPairs(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService,
  fallbacks: Fallbacks,
): string[] {
  const typed = values
    .filter(({ value, isPersonal }) => value !== '' && !isPersonal)
    .map(({ name, value }) => `${encodeValue(name)}=${encodeValue(value)}`);
  const tagged = values
    .filter(({ isPersonal }) => isPersonal)
    .map(
      ({ name }) => `${encodeValue(name)}=${mergeTag(emailService, name, fallbacks[name] ?? '')}`,
    );
  return [...optionPairs(template), ...typed, ...tagged];
}

function optionPairs({ version, size }: SnippetTemplate): string[] {
  return [
    ...(version === undefined ? [] : [`_version=${version}`]),
    ...(size === undefined ? [] : [`_size=${encodeValue(size)}`]),
  ];
}

/**
 * What the image of these values says, text by text; the template's name for an image without words. A tag of `emailService` stands
 * for what comes from a contact.
 */
export function describeImage(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService | undefined,
  fallbacks: Fallbacks,
): ImageDescription {
  const given = new Map(values.map((each) => [each.name, each]));
  const texts = template.texts
    .map((parts) =>
      parts.map((part): DescriptionPiece => {
        if (typeof part === 'string') return { text: part, isTag: false };
        const { variable } = part;
        const { value = '', isPersonal = false } = given.get(variable) ?? {};
        const fallback = fallbacks[variable] ?? '';
        if (emailService === undefined || !isPersonal) {
          return { text: value === '' ? fallback : value, isTag: false };
        }
        const { escapesTexts = false } = emailService;
        const text = mergeTag(emailService, variable, fallback, 'text');
        return { text, isTag: true, isEscapedByService: escapesTexts };
      }),
    )
    .filter((pieces) => pieces.some(({ text }) => text.trim() !== ''));
  if (texts.length === 0) return [{ text: template.name, isTag: false }];
  return texts.flatMap((pieces, index) => {
    const last = texts[index - 1]?.at(-1);
    const isEnded = last?.isTag === false && /\p{P}\s*$/u.test(last.text);
    const separator = index === 0 ? '' : isEnded ? ' ' : ', ';
    return [{ text: separator, isTag: false }, ...pieces];
  });
}

/** Design of emails: most are 600 px wide (px as in HTML). */
export const emailWidthPx = 600;

/** Sharp screens show two pixels for each px. */
const pixelsPerPx = 2;

/** How an email shows an image. */
export interface EmailLook {
  /** Of the image in the email; an image is never wider than its design. */
  widthPx?: number;
  /** The address that a click on the image opens; empty or undefined for none. */
  target?: string;
  /** The link of the image in dark mode; see `darkPath`. */
  darkUrl?: string | undefined;
}

/**
 * An image for emails. Outlook on Windows takes the size from the attributes and ignores styles, so they say the
 * size on the page; the link asks for twice the pixels. Its words are read aloud, and shown where images are not.
 */
export function htmlSnippet(
  template: SnippetTemplate,
  url: string,
  description: ImageDescription,
  look: EmailLook = {},
): string {
  const { widthPx, darkUrl } = look;
  return imageHtml(template, emailLink(template, url, widthPx), description, {
    ...look,
    darkUrl: darkUrl === undefined ? undefined : emailLink(template, darkUrl, widthPx),
  });
}

/** The same with links that stay as they are: signed ones, and tags that stand for whole links. */
export function imageHtml(
  template: Pick<SnippetTemplate, 'width' | 'height'>,
  link: string,
  description: ImageDescription,
  { widthPx = emailWidthPx, target = '', darkUrl }: EmailLook,
): string {
  const width = Math.min(widthPx, template.width);
  const height = Math.round((template.height * width) / template.width);
  const alt = textAttribute(description);
  const style = `display:block;width:100%;max-width:${width}px;height:auto;border:0`;
  const image = `<img src=${linkAttribute(link)}\n     width="${width}" height="${height}" alt=${alt}\n     style="${style}">`;
  // Gmail and Outlook ignore the source element, and show the image within it.
  const source = `<source media="(prefers-color-scheme: dark)"\n     srcset=${linkAttribute(darkUrl ?? '')}>`;
  const shown = darkUrl === undefined ? image : `<picture>${source}${image}</picture>`;
  // White space beside the image would be an underlined blank in some clients.
  return target === ''
    ? shown
    : `<a href=${linkAttribute(target)} target="_blank" style="text-decoration:none">${shown}</a>`;
}

/**
 * The link of the image in dark mode: the same with another value of one variable. Undefined where a value of a contact is
 * not encoded: a space in it would end the address, because that of a `source` is part of a list.
 */
export function darkPath(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService | undefined,
  fallbacks: Fallbacks,
  dark: { name: string; value: string },
): string | undefined {
  const changed = values.map((each) =>
    each.name === dark.name ? { name: dark.name, value: dark.value, isPersonal: false } : each,
  );
  if (emailService === undefined) return renderPath(template, changed);
  const isSafe =
    emailService.encoder !== undefined || !changed.some(({ isPersonal }) => isPersonal);
  return isSafe ? taggedPath(template, changed, emailService, fallbacks) : undefined;
}

/** The least `_scale` that gives an image of this width on the page its pixels. */
export function scaleFor(
  { width, scaleMax }: Pick<SnippetTemplate, 'width' | 'scaleMax'>,
  widthPx: number,
): number {
  const shownPx = Math.min(widthPx, width);
  return Math.min(scaleMax, Math.ceil((shownPx * pixelsPerPx) / width));
}

/** The link with `_scale` before all values: tags come last. A link that names one, as a signed one may, stays as it is. */
export function withScale(url: string, scale: number): string {
  if (scale === 1 || /[?&]_scale=/.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  return withQuery(path, [`_scale=${scale}`, ...(query.length === 0 ? [] : [query.join('?')])]);
}

/** The link of the image that `htmlSnippet` shows, for those who sign it before. */
export function emailLink(
  template: SnippetTemplate,
  url: string,
  widthPx: number = emailWidthPx,
): string {
  return withScale(url, scaleFor(template, widthPx));
}

/** Stands in a recipe for the key that a service signs with. */
export const signingKeyPlaceholder = 'SIGNING_KEY';

/**
 * The image of a signed template for a service that signs by itself: Liquid writes the query once, signs it with the path,
 * and puts both into the link. `base` has no slash at its end.
 */
export function selfSignedSnippet(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService & { signer: string },
  fallbacks: Fallbacks,
  look: EmailLook = {},
): string {
  const { widthPx = emailWidthPx } = look;
  const scale = scaleFor(template, widthPx);
  const pairs = taggedPairs(template, values, emailService, fallbacks);
  const query = [...(scale === 1 ? [] : [`_scale=${scale}`]), ...pairs].join('&');
  const path = `/v1/render/${template.file.replace(/\.\w+$/, '')}`;
  const captures = [
    `{% capture query %}${query}{% endcapture %}`,
    `{% capture signed %}${path}?{{query}}{% endcapture %}`,
  ].join('\n');
  const signature = `{{signed | ${emailService.signer}: '${signingKeyPlaceholder}'}}`;
  const link = `${base}/v1/render/${template.file}?{{query}}&_signature=${signature}`;
  const description = describeImage(template, values, emailService, fallbacks);
  return `${captures}\n${imageHtml(template, link, description, { ...look, darkUrl: undefined })}`;
}

/** A Markdown image; angle brackets keep what a tag may hold. */
export function markdownSnippet(url: string, description: ImageDescription): string {
  const target = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>]/g, encodeURIComponent)}>` : url;
  const alt = description
    .map(({ text, isTag }) =>
      isTag ? text : text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]\\]/g, String.raw`\$&`),
    )
    .join('');
  return `![${alt.trim()}](${target})`;
}

/** A shell command that saves the image; safe for any value in POSIX shells. */
export function curlSnippet(template: SnippetTemplate, url: string): string {
  return `curl -o ${template.file} \\\n  '${url.replaceAll("'", '%27')}'`;
}

function withQuery(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** One text of an image: words of the template, and variables by name. */
export type ImageText = readonly (string | { variable: string })[];
