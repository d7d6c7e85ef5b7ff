/** `GET /`: one page with a live picture, its link, and where to go next. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RenderFormat } from '#shared/render-job.ts';
import type { Route } from '../http/server.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { TemplateStore } from '../templates/template-store.ts';

export interface HomeOptions {
  /** The service's address as readers see it, without a slash at the end; known once it listens. */
  publicUrl: () => string;
  /** Templates to try, the first one shown first; those not published or not open are left out. */
  sampleUids: readonly string[];
  templates: Pick<TemplateStore, 'findPublished'>;
}

/** What the page's script needs of a template. */
interface Sample {
  uid: string;
  name: string;
  /** Last segment of its links. */
  file: string;
  width: number;
  height: number;
  /** Each with what its empty field shows: the default, or what kind of value it takes. */
  variables: { name: string; hint: string }[];
}

/** The value that greets somebody in the first picture, for templates that have a `name`. */
const firstName = 'Amanda';

const html = readFileSync(new URL('home.html', import.meta.url), 'utf8');

/** The page loads nothing from elsewhere, and runs only the style and the script that stand in its file. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  `style-src ${sourceHash(/<style>([^]*?)<\/style>/)}`,
  `script-src ${sourceHash(/<script>([^]*?)<\/script>/)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'no-cache',
  'Content-Security-Policy',
  contentSecurityPolicy,
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];

/** The page is built for each request, from the versions that are published at that moment. */
export function homeRoute(options: HomeOptions): Route {
  return {
    name: 'home',
    path: '/',
    errorShape: 'render',
    get: () => ({ status: 200, headers, body: buildPage(options) }),
  };
}

/** The link that greets somebody from the first sample that can be drawn, from `/v1` on; undefined without any. */
export function firstLink(
  templates: HomeOptions['templates'],
  sampleUids: readonly string[],
): string | undefined {
  for (const uid of sampleUids) {
    const [sample] = toSample(templates.findPublished(uid));
    if (sample !== undefined) return linkOf(sample);
  }
  return undefined;
}

function buildPage({ publicUrl, sampleUids, templates }: HomeOptions): string {
  const samples = findSamples(templates, sampleUids);
  const [first] = samples;
  const values: Record<string, string> = {
    // Relative, so that the page also works below a path of a proxy.
    image: first === undefined ? '' : linkOf(first).slice(1),
    width: String(first?.width ?? 400),
    height: String(first?.height ?? 200),
    base: escapeHtml(publicUrl()),
    // `<` would end the script element, whatever stands around it.
    samples: JSON.stringify(samples).replaceAll('<', String.raw`\u003c`),
  };
  const placeholder = /%(image|width|height|base|samples)%/g;
  return html.replaceAll(placeholder, (_, name: string) => values[name] ?? '');
}

function linkOf({ file, variables }: Sample): string {
  const greets = variables.some(({ name }) => name === 'name');
  return `/v1/render/${file}${greets ? `?name=${firstName}` : ''}`;
}

function findSamples(templates: HomeOptions['templates'], sampleUids: readonly string[]): Sample[] {
  return sampleUids.flatMap((uid) => toSample(templates.findPublished(uid)));
}

function toSample(template: PublishedTemplate | undefined): Sample[] {
  if (template === undefined || template.linkAuth !== 'open') return [];
  const { uid, document } = template;
  const format: RenderFormat = document.output?.format ?? 'png';
  const variables = document.variables.map(({ name, type, value }) => ({
    name,
    hint: type === 'image' ? 'https://… of a picture' : value,
  }));
  const { name, width, height } = document;
  return [
    { uid, name, file: `${uid}.${format === 'jpeg' ? 'jpg' : format}`, width, height, variables },
  ];
}

function sourceHash(element: RegExp): string {
  const source = element.exec(html)?.[1] ?? '';
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
