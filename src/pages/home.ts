/** `GET /`: the first page, with a live image, its link and snippets to paste. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import { defaultFormat, extensionOf } from '#language/formats.ts';
import { templateTexts } from '#language/image-texts.ts';
import type { Variable } from '#language/schema/template.ts';
import { linkBase } from './browser/public-address.ts';
import type { ImageText } from './browser/snippets.ts';
import { linkScaleMax } from '../render/link/options.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { endpoint } from '../api/endpoint.ts';
import type { PublicUrl } from '../api/request/public-url.ts';
import { escapeHtml, htmlFile } from './html.ts';
import { fileReply, pageShared, textAnswer } from '../api/request/page-file.ts';

/** Services and settings that the page needs. */
export interface HomeParts {
  /** Known once the service listens. */
  publicUrl: PublicUrl;
  /** Templates to try, the first one shown first. Templates that are not published or not open are left out. */
  sampleUids: readonly string[];
  templates: Pick<TemplateStore, 'findPublished'>;
}

/** The facts of a template for the page's script. */
interface Sample {
  uid: string;
  name: string;
  /** Last segment of its links. */
  file: string;
  width: number;
  height: number;
  texts: readonly ImageText[];
  scaleMax: number;
  /** The version that is published. */
  newest: number;
  variables: SampleVariable[];
}

/** A variable with the initial text of its field. The default of an image is not shown: people cannot use it. */
interface SampleVariable extends Pick<Variable, 'name' | 'type' | 'value'> {
  first: string;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** The value of `name` in the first image, for templates that have this variable. */
const firstName = 'Amanda';

/** The page is built for each request, from the versions that are published at that moment. */
export const home = endpoint(
  {
    ...pageShared,
    id: 'home',
    route: 'home',
    path: '/',
    summary: 'First page',
    description: 'A live image, its link and snippets.',
    answers: { 200: textAnswer('First page', 'text/html') },
  },
  (parts: HomeParts) => {
    const html = readFileSync(packagePath('src/pages/browser/first-steps.html'), 'utf8');
    return (exchange) => fileReply(exchange, htmlFile(buildPage(html, parts)));
  },
);

/** The link of the first sample that can be rendered, from `/v1` on; undefined without any. */
export function firstLink(
  templates: HomeParts['templates'],
  sampleUids: readonly string[],
): string | undefined {
  for (const uid of sampleUids) {
    const [sample] = toSample(templates.findPublished(uid));
    if (sample !== undefined) return linkOf(sample);
  }
  return undefined;
}

function buildPage(html: string, { publicUrl, sampleUids, templates }: HomeParts): string {
  // Empty if it is not configured: the page's script then uses the address of the page.
  const configuredBase = linkBase(publicUrl(), '');
  const samples = sampleUids.flatMap((uid) => toSample(templates.findPublished(uid)));
  const [first] = samples;
  const values: Record<string, string> = {
    // Relative, so that the page also works below a path of a proxy.
    image: first === undefined ? '' : linkOf(first).slice(1),
    width: String(first?.width ?? 400),
    height: String(first?.height ?? 200),
    base: escapeHtml(configuredBase),
    // `<` could end the script element.
    samples: JSON.stringify({ configuredBase, samples }).replaceAll('<', String.raw`\u003c`),
  };
  const placeholder = /%(image|width|height|base|samples)%/g;
  return html.replaceAll(placeholder, (_, name: string) => values[name] ?? '');
}

function linkOf({ file, variables }: Sample): string {
  const greets = variables.some(({ first }) => first === firstName);
  return `/v1/render/${file}${greets ? `?name=${firstName}` : ''}`;
}

function toSample(template: PublishedTemplate | undefined): Sample[] {
  if (template === undefined || template.linkAuth !== 'open') return [];
  const { uid, document, version } = template;
  const { name, width, height } = document;
  const format = document.output?.format ?? defaultFormat;
  const file = `${uid}.${extensionOf(format)}`;
  const texts = templateTexts(document);
  const scaleMax = linkScaleMax(template);
  const variables = document.variables.map(toVariable);
  return [{ uid, name, file, width, height, texts, scaleMax, newest: version, variables }];
}

function toVariable(variable: Variable): SampleVariable {
  const { name, type } = variable;
  if (variable.type === 'list') {
    return { name, type, value: JSON.stringify(variable.value), first: '' };
  }
  const { value, maxLength, min, max } = variable;
  return {
    name,
    type,
    value: type === 'image' ? '' : value,
    first: name === 'name' && type === 'text' ? firstName : '',
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
}
