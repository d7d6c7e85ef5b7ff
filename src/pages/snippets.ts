/** Builds links and their snippets: HTML, Markdown and curl, with typed values or an email service's merge tags. */
import type { MailTool } from './mail-tools.ts';
import { encodeValue, mergeTag } from './mail-tools.ts';

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
}

/** An alternative text in pieces: words, and merge tags that the email service must find unchanged. */
export type ImageDescription = readonly { text: string; isTag: boolean }[];

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
  return withQuery(`v1/render/${template.file}`, pairs);
}

/** The link with tags in place of personal values. Tags come last: what an unencoded one holds cannot hide another value. */
export function taggedPath(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  tool: MailTool,
  fallbacks: Fallbacks,
): string {
  const typed = values
    .filter(({ value, isPersonal }) => value !== '' && !isPersonal)
    .map(({ name, value }) => `${encodeValue(name)}=${encodeValue(value)}`);
  const tagged = values
    .filter(({ isPersonal }) => isPersonal)
    .map(({ name }) => `${encodeValue(name)}=${mergeTag(tool, name, fallbacks[name] ?? '')}`);
  return withQuery(`v1/render/${template.file}`, [...typed, ...tagged]);
}

/**
 * What the image of these values says, text by text; the template's name for an image without words. A tag of `tool` stands
 * for what comes from a contact.
 */
export function describeImage(
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  tool: MailTool | undefined,
  fallbacks: Fallbacks,
): ImageDescription {
  const given = new Map(values.map((each) => [each.name, each]));
  const texts = template.texts
    .map((parts) =>
      parts.map((part) => {
        if (typeof part === 'string') return { text: part, isTag: false };
        const { variable } = part;
        const { value = '', isPersonal = false } = given.get(variable) ?? {};
        const fallback = fallbacks[variable] ?? '';
        return tool !== undefined && isPersonal
          ? { text: mergeTag(tool, variable, fallback, 'text'), isTag: true }
          : { text: value === '' ? fallback : value, isTag: false };
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

/**
 * An `img` element for emails. Outlook on Windows takes the size from the attributes and ignores styles, so they say the
 * size on the page; the link asks for twice the pixels. Its words are read aloud, and shown where images are not.
 */
export function htmlSnippet(
  template: SnippetTemplate,
  url: string,
  description: ImageDescription,
  widthPx: number = emailWidthPx,
): string {
  const width = Math.min(widthPx, template.width);
  const height = Math.round((template.height * width) / template.width);
  const link = withScale(url, scaleFor(template, width));
  const source = quoted(link.replaceAll(separatorPattern, '&amp;'), link);
  const alt = textAttribute(description);
  const style = `display:block;width:100%;max-width:${width}px;height:auto;border:0`;
  return `<img src=${source}\n     width="${width}" height="${height}" alt=${alt}\n     style="${style}">`;
}

/** The least `_scale` that gives an image of this width on the page its pixels. */
function scaleFor({ width, scaleMax }: SnippetTemplate, widthPx: number): number {
  return Math.min(scaleMax, Math.ceil((widthPx * pixelsPerPx) / width));
}

/** The link with `_scale` before all values: tags come last. A link that names one, as a signed one may, stays as it is. */
export function withScale(url: string, scale: number): string {
  if (scale === 1 || /[?&]_scale=/.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  return withQuery(path, [`_scale=${scale}`, ...(query.length === 0 ? [] : [query.join('?')])]);
}

/** The link of the image that `htmlSnippet` shows, for those who sign it before. */
export function emailLink(template: SnippetTemplate, url: string): string {
  return withScale(url, scaleFor(template, Math.min(emailWidthPx, template.width)));
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

/**
 * The `&` before a name in a query. Another one stands in a tag's fallback, which the tool encodes for the link before HTML
 * is read: `&amp;` there would be drawn.
 */
const separatorPattern = /&(?=[\w.~!*()%-]+=)/g;

/** An alternative text. Words are escaped for either kind of quotes. */
function textAttribute(pieces: ImageDescription): string {
  const text = pieces
    .map((piece) => (piece.isTag ? piece.text.replaceAll('&', '&amp;') : escapeWords(piece.text)))
    .join('');
  const tags = pieces.map((piece) => (piece.isTag ? piece.text : '')).join('');
  return quoted(text.trim(), tags);
}

/** An attribute in the quotes that its tags leave free: tools look for tags in the source, so their quotes stay as they are. */
function quoted(text: string, tags: string): string {
  const quote = tags.includes('"') ? "'" : '"';
  return `${quote}${text}${quote}`;
}

/** Words in one line, for either kind of quotes. */
function escapeWords(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** One text of an image: words of the template, and variables by name. */
export type ImageText = readonly (string | { variable: string })[];

// The address that links begin with, and whether it is public.

/**
 * The address of the links that a page shows, without a slash at the end: the configured one, else that under which the
 * page was opened. Without a configuration the service knows its port alone and says `localhost`.
 */
export function linkBase(configured: string, pageAddress: string): string {
  const isConfigured = configured !== '' && !/^https?:\/\/localhost(:\d+)?$/.test(configured);
  return (isConfigured ? configured : pageAddress).replace(/\/+$/, '');
}

/** Names that no public name server knows (RFC 2606, RFC 6761, RFC 6762, RFC 8375, and `.internal`, `.lan`). */
const localName = /(^|\.)(localhost|local|internal|lan|test|invalid|home\.arpa)\.?$/i;

/** IPv4 ranges of one machine or one network (RFC 1122, 1918, 3927, 6598). */
const localIpv4 =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** The loopback, link-local and unique local ranges of IPv6 (RFC 4291, 4193), in the brackets of a URL. */
const localIpv6 = /^\[(::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i;

/** Whether readers outside of this machine and its network can open links under `base`. */
export function isPublicAddress(base: string): boolean {
  if (!URL.canParse(base)) return false;
  const { hostname } = new URL(base);
  if (hostname.startsWith('[')) return !localIpv6.test(hostname);
  if (/^[\d.]+$/.test(hostname)) return !localIpv4.test(hostname);
  return hostname.includes('.') && !localName.test(hostname);
}
