/** The link of a published template and its snippets, for an email service or for typed values. */
import { valueFramesFit } from '#language/animation/frames.ts';
import {
  curlSnippet,
  darkPath,
  describeImage,
  emailLink,
  htmlSnippet,
  markdownSnippet,
  renderPath,
  selfSignedSnippet,
  taggedPath,
} from '../../pages/browser/email-snippets.ts';
import type {
  EmailLook,
  EmailService,
  SnippetTemplate,
  SnippetValue,
} from '../../pages/browser/email-snippets.ts';
import { defaultFormat, extensionOf, outputFormat } from '#language/formats.ts';
import { sentValue } from '#language/values/decimal-signs.ts';
import { templateTexts } from '#language/image-texts.ts';
import { documentInSize } from '#language/sizes.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { renderScales } from '#wire/render-job.ts';
import { keyedBy, linkText, usesOf } from '../panels/variables/variables.ts';
import type { Template } from '#language/schema/template.ts';
import type { Values } from '../state/frames.ts';

/** Texts to copy. */
export interface Snippets {
  link: string;
  html: string;
  markdown: string;
  curl: string;
}

/** Returns the sizes that links of a document may name. */
export function linkSizes({ sizes = [], linkOptions }: Template): NonNullable<Template['sizes']> {
  return linkOptions?.includes('size') === false ? [] : sizes;
}

/** Converts a template, in a size or as it is (`''`), to the form that snippets take. */
export function snippetTemplate(uid: string, template: Template, sizeName = ''): SnippetTemplate {
  const size = sizeName === '' ? undefined : sizeName;
  const document = documentInSize(template, size) ?? template;
  const format = document.output?.format ?? defaultFormat;
  const { name, width, height, linkOptions } = document;
  const texts = templateTexts(document);
  const isFree = linkOptions?.includes('scale') ?? true;
  const { pixelsMax } = outputFormat(format).linkLimits ?? templateLimits;
  const fitting = renderScales.filter(
    (scale) => width * height * scale ** 2 <= pixelsMax && valueFramesFit(document, scale),
  );
  const scaleMax = isFree ? Math.max(1, ...fitting) : 1;
  const file = `${uid}.${extensionOf(format)}`;
  return { name, file, width, height, texts, scaleMax, size };
}

/** Names of variables that likely hold the contact's name. */
const contactName = /^(?:(?:first|full|given)_?)?name$/i;

/** Returns the variables that the image shows. A link does not give values that come from a data table. */
export function linkVariables(document: Template): Template['variables'] {
  return document.variables.filter(
    ({ name, from }) =>
      from === undefined && usesOf(document, name).length + keyedBy(document, name).length > 0,
  );
}

/** Returns the initial values of a link. A name, or else the first text, is marked as personal. */
export function snippetValues(document: Template, values: Values): SnippetValue[] {
  const given = linkVariables(document);
  const texts = given.filter(({ type }) => type === 'text');
  const personal = (texts.find(({ name }) => contactName.test(name)) ?? texts[0])?.name;
  return given.map(({ name }) => ({
    name,
    value: String(values[name] ?? ''),
    isPersonal: name === personal,
  }));
}

/** Returns the values for a link as it writes them. It leaves out those that equal the default. */
export function withoutDefaults(
  values: readonly SnippetValue[],
  { variables, lang }: Pick<Template, 'variables' | 'lang'>,
): SnippetValue[] {
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  return values.map((each) => {
    const variable = known.get(each.name);
    if (variable === undefined) return each;
    if (each.value === linkText(variable)) return { ...each, value: '' };
    return { ...each, value: sentValue(variable.type, each.value, lang) };
  });
}

/** Returns the link with the typed values, without a signature. */
export function typedLink(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
): string {
  return `${base}/${renderPath(template, values)}`;
}

/** Options of the image in an email. `dark` is another value of one variable for dark mode. */
export interface EmailChoice extends Omit<EmailLook, 'darkUrl'> {
  dark?: { name: string; value: string } | undefined;
}

/** Creates snippets. Personal values are merge tags of the email service, or the typed values without a service. */
export function makeSnippets(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService | undefined,
  document: Pick<Template, 'variables'>,
  { dark, ...look }: EmailChoice = {},
): Snippets {
  const typed = typedLink(base, template, values);
  const fallbacks = fallbacksOf(document);
  const path =
    dark === undefined ? undefined : darkPath(template, values, emailService, fallbacks, dark);
  const darkUrl = path === undefined ? undefined : `${base}/${path}`;
  const link =
    emailService === undefined
      ? typed
      : `${base}/${taggedPath(template, values, emailService, fallbacks)}`;
  const description = describeImage(template, values, emailService, fallbacks);
  return {
    link,
    html: htmlSnippet(template, link, description, { ...look, darkUrl }),
    markdown: markdownSnippet(link, description),
    curl: curlSnippet(template, typed),
  };
}

/** Creates snippets of a signed link, which stays unchanged. */
export function signedSnippets(
  template: SnippetTemplate,
  link: string,
  values: readonly SnippetValue[],
  document: Pick<Template, 'variables'>,
  { widthPx, target }: EmailChoice = {},
): Snippets {
  const description = describeImage(template, values, undefined, fallbacksOf(document));
  const look = { ...(widthPx === undefined ? {} : { widthPx }), target: target ?? '' };
  return {
    link,
    html: htmlSnippet(template, link, description, look),
    markdown: markdownSnippet(link, description),
    curl: curlSnippet(template, link),
  };
}

/** Explains why the snippet lacks the chosen dark variant; empty if it does not. */
export function darkNote(
  { dark }: EmailChoice,
  snippets: Snippets | undefined,
  emailService: EmailService | undefined,
): string {
  if (dark === undefined || snippets === undefined || emailService === undefined) return '';
  return snippets.html.includes('<picture>')
    ? ''
    : `${emailService.name} does not encode the values of contacts, which the address of a dark image needs: the snippet has the light image alone.`;
}

/** Returns the HTML for an email service that signs links itself; undefined for other email services. */
export function recipeFor(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  emailService: EmailService | undefined,
  document: Pick<Template, 'variables'>,
  { widthPx, target = '' }: EmailChoice = {},
): string | undefined {
  if (emailService?.signer === undefined) return undefined;
  const signing = { ...emailService, signer: emailService.signer };
  const look = { target, ...(widthPx === undefined ? {} : { widthPx }) };
  return selfSignedSnippet(base, template, values, signing, fallbacksOf(document), look);
}

/** Returns the link to sign, with the scale that the snippet needs: a signature covers the scale. */
export function linkToSign(
  base: string,
  template: SnippetTemplate,
  values: readonly SnippetValue[],
  widthPx?: number,
): string {
  return emailLink(template, typedLink(base, template, values), widthPx);
}

/** Returns the defaults by name, which snippets use for values that are not typed. */
function fallbacksOf({ variables }: Pick<Template, 'variables'>): Record<string, string> {
  return Object.fromEntries(variables.map((variable) => [variable.name, linkText(variable)]));
}

/** Longest value of a QR code, in characters (the format's limit). */
const codeLengthMax = 2000;

/** Returns a document with only the QR code of a link; undefined if the link is too long. */
export function codeDocument(link: string): Template | undefined {
  if (link.length > codeLengthMax) return undefined;
  const side = 320;
  return {
    format: 1,
    name: 'QR code',
    width: side,
    height: side,
    background: '#ffffff',
    variables: [],
    layers: [{ id: 'code', type: 'qr', x: 0, y: 0, width: side, height: side, value: link }],
  };
}
