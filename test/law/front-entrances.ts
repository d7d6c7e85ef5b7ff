/** The entrances of the service through which the law of the front sends its cases. */
import { testOrganization } from '../e2e/published.ts';
import type { RequestOptions } from '../e2e/request.ts';
import type { Service } from '../e2e/service.ts';
import type { FrontCase } from './front-documents.ts';

export const embedOrigin = 'https://app.example.com';
const headers = { 'X-API-Key': testOrganization.key, 'content-type': 'application/json' };

export interface Asked {
  path: string;
  options: RequestOptions;
}

/** What a request is made for. */
export interface Subject {
  /** The published template of the case. */
  uid: string;
  /** A language tag that no request had before, so that no image comes from the cache. */
  lang: string;
  /** An address that no request had before. */
  network: string;
  /** Of an editor of the template, for the entrances of embed tokens. */
  token: string;
  /** Of the case, for the entrance of short links. */
  shortLink: string;
}

function post(path: string, body: object, more: Record<string, string> = {}): Asked {
  const options = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
  return { path, options };
}

const linkBytesMax = 15_000;

/** A link with as many of the values as fit into one. */
function linkTo({ uid, lang }: Subject, { values, options }: FrontCase): string {
  let link = `/v1/render/${uid}?${new URLSearchParams({ ...options, _lang: lang }).toString()}`;
  for (const pair of Object.entries(values)) {
    const longer = `${link}&${new URLSearchParams([pair]).toString()}`;
    if (longer.length < linkBytesMax) link = longer;
  }
  return link;
}

/** The document under a name that no request had before, so that nothing is known of it. */
function freshDocument({ lang }: Subject, { document }: FrontCase): object {
  return { ...document, name: `front ${lang}` };
}

function previewOf(subject: Subject, lawCase: FrontCase): object {
  const {
    values,
    options: { _format, _frames },
  } = lawCase;
  const frames = _frames === undefined ? {} : { frames: Number(_frames) };
  return {
    template: freshDocument(subject, lawCase),
    values: jsonValues(values),
    format: _format,
    ...frames,
  };
}

/** Values as JSON has them: a list is an array. */
function jsonValues({ items, ...values }: FrontCase['values']): Record<string, unknown> {
  return items === undefined ? values : { ...values, items: JSON.parse(items) as unknown };
}

/** Beginnings of most words of the guides, and the values, as long as a link may be. */
function searchFor({ values }: FrontCase): string {
  const query = new URLSearchParams({ q: ['a c p s t', ...Object.values(values)].join(' ') });
  // No part of an escape stands at the end.
  return `/docs/search?${query.toString().slice(0, linkBytesMax).replace(/%.?$/, '')}`;
}

/** The ways to ask for an image, and the search. */
export const entrances = {
  link: (subject, lawCase) => ({ path: linkTo(subject, lawCase), options: {} }),
  url: (subject, lawCase) => shortLinkOrder(subject, lawCase),
  short: ({ shortLink }) => ({ path: shortLink, options: {} }),
  embed: ({ uid, token }, { values, options: { _format } }) =>
    post(
      '/v1/preview',
      { uid, values: jsonValues(values), format: _format },
      { 'X-API-Key': token },
    ),
  json: ({ uid, lang }, { values, options: { _format } }) =>
    post(`/v1/render/${uid}`, { values: jsonValues(values), format: _format, lang }),
  preview: (subject, lawCase) => post('/v1/preview', previewOf(subject, lawCase)),
  report: (subject, lawCase) =>
    post('/v1/preview', previewOf(subject, lawCase), { accept: 'application/json' }),
  adapter: ({ uid }, { values }) => {
    const modifications = Object.entries(values).map(([name, text]) => ({ name, text }));
    const authorization = `Bearer ${testOrganization.key}`;
    return post('/v2/images', { template: uid, modifications }, { authorization });
  },
  mcp: (subject, lawCase) => {
    const input = {
      document: freshDocument(subject, lawCase),
      values: jsonValues(lawCase.values),
    };
    const params = { name: 'preview_template', arguments: input };
    const accept = 'application/json, text/event-stream';
    return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { accept });
  },
  duplicate: ({ uid }) => post(`/v1/templates/${uid}/duplicate`, {}),
  publish: ({ uid }) => post(`/v1/templates/${uid}/publish`, {}),
  put: (subject, lawCase) => {
    const { path, options } = post(
      `/v1/templates/${subject.uid}`,
      freshDocument(subject, lawCase),
      {
        'X-API-Key': subject.token,
      },
    );
    return { path, options: { ...options, method: 'PUT' } };
  },
  // A network may send few searches: each comes from another one.
  search: ({ network }, lawCase) => ({
    path: searchFor(lawCase),
    options: { headers: { 'X-Forwarded-For': network } },
  }),
} satisfies Record<string, (subject: Subject, lawCase: FrontCase) => Asked>;

export type Entrance = keyof typeof entrances;
export const entranceNames = Object.keys(entrances) as Entrance[];

/** Asks for a short link, whose image is rendered as WebP. */
function shortLinkOrder({ uid, lang }: Subject, { values }: FrontCase): Asked {
  const options = { format: 'webp', lang, response: 'url', short: true };
  return post(`/v1/render/${uid}`, { values: jsonValues(values), ...options });
}

/** A short link that was not opened before, in another format than WebP. */
export async function shortLinkTo(
  service: Service,
  subject: Subject,
  lawCase: FrontCase,
): Promise<string> {
  const { path, options } = shortLinkOrder(subject, lawCase);
  const answer = await service.get(path, options);
  const url = answer.status === 200 ? (answer.json() as { url: string }).url : '/r/refused';
  return `${new URL(url, service.base).pathname.replace('.webp', '')}.${lawCase.options['_format']}`;
}

export async function embedToken(service: Service, template: string): Promise<string> {
  const { path, options } = post('/v1/embed-tokens', { template, origin: embedOrigin });
  return ((await service.get(path, options)).json() as { token: string }).token;
}
