/** Builds links and their snippets: HTML, Markdown and curl, with typed values or an email service's merge tags. */
import { joinNumbers, rightToLeftPattern } from '#language/bind/isolation.ts';
import { encodePair, encodeText, signatureVersion } from '#language/signed-text.ts';
import { linkAttribute, textAttribute } from './tagged-attributes.ts';
import type { DescriptionPiece, ImageDescription } from './tagged-attributes.ts';
import type { EmailService } from './merge-tag.ts';
import { mergeTag } from './merge-tag.ts';

/** The properties of a template that snippets need. */
export interface SnippetTemplate {
  name: string;
  /** Last path segment of the template's links, with the extension. */
  file: string;
  /** In design pixels, as `height`. */
  width: number;
  height: number;
  /** The texts of the template's images. */
  texts: readonly ImageText[];
  /** The largest `_scale` that links of the template may have. */
  scaleMax: number;
  /** The published version in links; undefined: the newest version. */
  version?: number | undefined;
  /** The size in links; undefined: the template's width and height. */
  size?: string | undefined;
}

/** One variable of a link. */
export interface SnippetValue {
  name: string;
  /** The typed value. If empty, the link has no value and the template's default is drawn. */
  value: string;
  /** Whether the email service inserts a contact's value. */
  isPersonal: boolean;
}

/** Fallbacks of merge tags by variable: the defaults of the variables. */
export type Fallbacks = Readonly<Record<string, string>>;

/** The link of typed values, relative from `v1` on, so that it also works below a path of a proxy. */
export function renderPath(template: SnippetTemplate, values: readonly SnippetValue[]): string {
  const pairs = values
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => encodePair(name, value));
  return withQuery(`v1/render/${template.file}`, [...optionPairs(template), ...pairs]);
}

/**
 * The link with tags in place of personal values. Tags come last, so that an unencoded value cannot hide another one.
 */
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
    .map(({ name, value }) => encodePair(name, value));
  const tagged = values
    .filter(({ isPersonal }) => isPersonal)
    .map(
      ({ name }) => `${encodeText(name)}=${mergeTag(emailService, name, fallbacks[name] ?? '')}`,
    );
  return [...optionPairs(template), ...typed, ...tagged];
}

function optionPairs({ version, size }: SnippetTemplate): string[] {
  return [
    ...(version === undefined ? [] : [`_version=${version}`]),
    ...(size === undefined ? [] : [`_size=${encodeText(size)}`]),
  ];
}

/** U+2068 and U+2069 around a value, so that it does not reorder the words beside it (Unicode UAX #9). */
const isolateStart: DescriptionPiece = { text: '\u2068', isTag: false };
const isolateEnd: DescriptionPiece = { text: '\u2069', isTag: false };

/**
 * The alternative text of the image of these values, text by text. An image without words gives the template's name. A
 * tag of `emailService` represents a contact's value. Values beside right-to-left words are isolated, and so is a tag
 * whose value could move a number or another value, because its direction is unknown.
 */
export function describeImage(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService | undefined,
  fallbacks: Fallbacks,
): ImageDescription {
  const given = new Map(values.map((each) => [each.name, each]));
  const pieceOf = (variable: string): DescriptionPiece => {
    const { value = '', isPersonal = false } = given.get(variable) ?? {};
    const fallback = fallbacks[variable] ?? '';
    if (emailService === undefined || !isPersonal) {
      return { text: value === '' ? fallback : value, isTag: false };
    }
    const { escapesTexts = false } = emailService;
    const text = mergeTag(emailService, variable, fallback, 'text');
    return { text, isTag: true, isEscapedByService: escapesTexts };
  };
  const texts = template.texts
    .map((parts) =>
      parts.map((part) =>
        typeof part === 'string'
          ? { text: part, isTag: false, isValue: false }
          : { ...pieceOf(part.variable), isValue: true },
      ),
    )
    .filter((pieces) => pieces.some(({ text }) => text.trim() !== ''));
  if (texts.length === 0) return [{ text: template.name, isTag: false }];
  const isMixed = texts.flat().some(({ text }) => rightToLeftPattern.test(text));
  const described = texts.flatMap((pieces, index) => {
    const last = texts[index - 1]?.at(-1);
    const isEnded = last?.isTag === false && /\p{P}\s*$/u.test(last.text);
    const separator = index === 0 ? '' : isEnded ? ' ' : ', ';
    return [{ text: separator, isTag: false, isValue: false }, ...pieces];
  });
  const written = described.flatMap(({ isValue, ...piece }, index): DescriptionPiece[] => {
    const isFree = isMixed ? isValue : piece.isTag && movesNext(described.slice(index + 1));
    return isFree && piece.text !== '' ? [isolateStart, piece, isolateEnd] : [piece];
  });
  const joined = joinNumbers(written.map(({ text }) => text));
  return written.map((piece, index) =>
    piece.isTag ? piece : { ...piece, text: joined[index] ?? piece.text },
  );
}

/** Whether a right-to-left value before these pieces would move one of them: a number or a tag before any letter. */
function movesNext(pieces: ImageDescription): boolean {
  return /^[^\p{L}]*\p{Nd}/u.test(pieces.map(({ text, isTag }) => (isTag ? '0' : text)).join(''));
}

/** Default width of an image in an email: most emails are 600 px wide (px as in HTML). */
export const emailWidthPx = 600;

/** Device pixels per px on a high-resolution screen. */
const pixelsPerPx = 2;

/** The presentation of an image in an email. */
export interface EmailLook {
  /** Width of the image in the email, in px. An image is never wider than its design. */
  widthPx?: number;
  /** The link around the image; empty or undefined for none. */
  target?: string;
  /** The link of the image in dark mode; see `darkPath`. */
  darkUrl?: string | undefined;
}

/**
 * The HTML of an image for emails. Outlook on Windows ignores styles and takes the size from the attributes. They hold
 * the size in px; the link has twice the pixels. Screen readers, and clients without images, use the alternative text.
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

/** As `htmlSnippet`, with unchanged links: signed ones, and tags for whole links. */
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
  // Gmail and Outlook ignore the source element and show the image element.
  const source = `<source media="(prefers-color-scheme: dark)"\n     srcset=${linkAttribute(darkUrl ?? '')}>`;
  const shown = darkUrl === undefined ? image : `<picture>${source}${image}</picture>`;
  // White space beside the image would be an underlined blank in some clients.
  return target === ''
    ? shown
    : `<a href=${linkAttribute(target)} target="_blank" style="text-decoration:none">${shown}</a>`;
}

/**
 * The link of the image in dark mode, with another value of one variable. Undefined if a contact's value is not
 * encoded: a space in `srcset` ends the address.
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

/** The smallest `_scale` with enough device pixels for an image of this width, at most `scaleMax`. */
export function scaleFor(
  { width, scaleMax }: Pick<SnippetTemplate, 'width' | 'scaleMax'>,
  widthPx: number,
): number {
  const shownPx = Math.min(widthPx, width);
  return Math.min(scaleMax, Math.ceil((shownPx * pixelsPerPx) / width));
}

/**
 * Adds `_scale` before all values, because tags come last. A link that has one, such as a signed link, stays as it is.
 */
export function withScale(url: string, scale: number): string {
  if (scale === 1 || /[?&]_scale=/.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  return withQuery(path, [`_scale=${scale}`, ...(query.length === 0 ? [] : [query.join('?')])]);
}

/** The link that `htmlSnippet` writes, for callers that sign it first. */
export function emailLink(
  template: SnippetTemplate,
  url: string,
  widthPx: number = emailWidthPx,
): string {
  return withScale(url, scaleFor(template, widthPx));
}

/** Filters that turn the output of `url_encode` into the spelling of a signed text. */
const toCanonical = " | replace: '+', '%20' | replace: '*', '%2A' | replace: '%7E', '~'";

/** Placeholder for the signing key in a snippet. */
export const signingKeyPlaceholder = 'SIGNING_KEY';

/**
 * The HTML of an image for a service that signs links. Liquid writes the query once, signs the path with the canonical
 * query, and puts both into the link. `base` has no trailing slash.
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
  // A name ends in an equals sign, so the order of the pairs does not depend on the values.
  const query = [...(scale === 1 ? [] : [`_scale=${scale}`]), ...pairs].toSorted().join('&');
  const path = `/v1/render/${template.file.replace(/\.\w+$/, '')}`;
  const captures = [
    `{% capture query %}${query}{% endcapture %}`,
    `{% capture signed %}${signatureVersion}:${path}?{{query${toCanonical}}}{% endcapture %}`,
  ].join('\n');
  const signature = `${signatureVersion}.{{signed | ${emailService.signer}: '${signingKeyPlaceholder}'}}`;
  const link = `${base}/v1/render/${template.file}?{{query}}&_signature=${signature}`;
  const description = describeImage(template, values, emailService, fallbacks);
  return `${captures}\n${imageHtml(template, link, description, { ...look, darkUrl: undefined })}`;
}

/** A Markdown image. Angle brackets protect spaces and parentheses in tags. */
export function markdownSnippet(url: string, description: ImageDescription): string {
  const target = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>]/g, encodeURIComponent)}>` : url;
  const alt = description
    .map(({ text, isTag }) =>
      isTag ? text : text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]\\]/g, String.raw`\$&`),
    )
    .join('');
  return `![${alt.trim()}](${target})`;
}

/** A shell command that saves the image. Safe for any value in POSIX shells. */
export function curlSnippet(template: SnippetTemplate, url: string): string {
  return `curl -o ${template.file} \\\n  '${url.replaceAll("'", '%27')}'`;
}

function withQuery(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** One text of an image: literal words, and names of variables. */
export type ImageText = readonly (string | { variable: string })[];
