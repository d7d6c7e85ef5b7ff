/** `GET /studio`, the same for frames at `/studio/embed`, the files of both, and `GET /studio/fonts`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FontFile } from '#wire/font-facts.ts';
import type { Template } from '#language/schema/template.ts';
import { annotatedSchema } from '#language/schema/document.ts';
import { packagePath } from '#paths.ts';
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { firstValue, parseQuery } from '../http/query.ts';
import type { Reply } from '../http/reply.ts';
import { studioSchema } from './descriptions.ts';
import { loadBrowserCode, mediaTypes } from './files.ts';
import { pathParameter } from '../api/declaration.ts';
import { endpoint } from '../api/endpoint.ts';
import type { FontParts } from '../api/fonts.ts';
import type { PublicUrl } from '../api/request/public-url.ts';
import { escapeHtml, htmlFile } from './html.ts';
import { fileReply, pageShared, textAnswer } from '../api/request/page-file.ts';
import type { PageFile } from '../api/request/page-file.ts';

/** A file never changes at its address, because the address contains the revision. */
const foreverHeader = 'public, max-age=31536000, immutable';

/** Allows fonts of templates, so that fields show text in the font of the image. */
const fontPolicy = "font-src 'self' blob:";

/** The studio as one revision of all its files. */
interface StudioFiles {
  /** Hash of all files. */
  revision: string;
  /** Texts by their names below the revision. */
  files: ReadonlyMap<string, string>;
}

const studioScript = 'studio.js';
const studioStyle = 'studio.css';

export async function loadStudioFiles(): Promise<StudioFiles> {
  const code = [...(await loadBrowserCode())].filter(([path]) => path.startsWith('studio/'));
  const files = new Map(code.map(([path, text]) => [path.slice('studio/'.length), text]));
  if (!files.has(studioSchema)) files.set(studioSchema, JSON.stringify(annotatedSchema()));
  const hash = createHash('sha256');
  for (const [name, text] of files) hash.update(name).update('\0').update(text).update('\0');
  return { revision: hash.digest('base64url').slice(0, 16), files };
}

/** Loaded at the first request. */
let loaded: StudioFiles | undefined;

async function loadOnce(): Promise<StudioFiles> {
  loaded ??= await loadStudioFiles();
  return loaded;
}

/** The page names its files by an address with their revision, so that a browser keeps them. */
const studioPage = endpoint(
  {
    ...pageShared,
    id: 'studio',
    route: 'studio',
    path: '/studio',
    summary: 'Studio',
    description: 'The editor of templates, for people.',
    answers: { 200: textAnswer('Studio', 'text/html') },
  },
  ({ publicUrl }: { publicUrl: PublicUrl }) => {
    let page: PageFile | undefined;
    return async (exchange) => {
      page ??= buildPage(await loadOnce(), publicUrl());
      return fileReply(exchange, page, [fontPolicy]);
    };
  },
);

/** The studio for a frame of a listed origin. The URL fragment holds the token, so that no server sees it. */
const studioEmbedPage = endpoint(
  {
    ...pageShared,
    id: 'studioEmbed',
    route: 'studio-embed',
    path: '/studio/embed',
    summary: 'Studio in a frame',
    description:
      'The editor of one template, for a frame of an origin that `PLATEN_EMBED_ORIGINS` lists. Its address comes from `POST /v1/embed-tokens`.',
    answers: { 200: textAnswer('Studio', 'text/html') },
  },
  ({ publicUrl, embedOrigins }: { publicUrl: PublicUrl; embedOrigins: readonly string[] }) => {
    const framePolicy =
      embedOrigins.length === 0 ? [] : [`frame-ancestors ${embedOrigins.join(' ')}`];
    let page: PageFile | undefined;
    return async (exchange) => {
      page ??= buildPage(await loadOnce(), publicUrl(), '../');
      return fileReply(exchange, page, [fontPolicy, ...framePolicy]);
    };
  },
);

const studioFile = endpoint(
  {
    ...pageShared,
    id: 'studioFile',
    route: 'studio-file',
    path: '/studio/{revision}/{file}',
    summary: 'Studio file',
    description: 'Files of the studio. A browser keeps a file of the page’s revision for ever.',
    pathParameters: {
      revision: pathParameter('The revision that the page names.', 'YcGIAWEp9UpLHsXx'),
      file: pathParameter('Name of the file.', 'main.js'),
    },
    answers: { 200: textAnswer('The file.', 'text/css', 'text/javascript', 'application/json') },
    errors: { 404: 'There is no such file.' },
  },
  () => async (exchange) => studioFileReply(exchange, await loadOnce()),
);

export const studioEndpoints = [studioPage, studioEmbedPage, studioFile];

function studioFileReply(exchange: Exchange, { revision, files }: StudioFiles): Reply {
  const [wantedRevision, name = ''] = exchange.parameters;
  const text = files.get(name);
  if (text === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such file; check the path.', { reason: 'path' });
  }
  const headers = [
    'Content-Type',
    mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain',
    // A page of another revision gets the current file, which its browser does not keep.
    'Cache-Control',
    wantedRevision === revision ? foreverHeader : 'no-store',
    'X-Content-Type-Options',
    'nosniff',
  ];
  return { status: 200, headers, body: text };
}

/** The addresses are relative, so that the page also works below a path of a proxy: `root` leads to the first page. */
function buildPage({ revision, files }: StudioFiles, base: string, root = ''): PageFile {
  const html = readFileSync(packagePath('src/studio/index.html'), 'utf8');
  // The browser fetches the script's imports at the same time as the script, not after it.
  const imported = (files.get(studioScript) ?? '').matchAll(
    /\b(?:from|import) ?"\.\/([\w-]+\.js)"/g,
  );
  const lines = [
    `<link rel="stylesheet" href="${root}studio/${revision}/${studioStyle}" />`,
    ...[...imported].map(
      ([, name]) => `<link rel="modulepreload" href="${root}studio/${revision}/${name}" />`,
    ),
    `<script type="module" src="${root}studio/${revision}/${studioScript}"></script>`,
  ];
  return htmlFile(
    html
      .replace('%files%', lines.join('\n    '))
      .replace('%base%', escapeHtml(base))
      .replaceAll('%root%', root),
  );
}

// Fonts, so that the studio's fields show text as the images do.

/** A browser may keep a file, but no shared cache may. */
const fontCacheControl = 'private, max-age=86400';

/** Answers the file of the family whose weight and style are nearest. */
export const studioFont = endpoint(
  {
    tag: 'Service',
    errorShape: 'organization',
    id: 'studioFont',
    route: 'studio-font',
    method: 'get',
    path: '/studio/fonts',
    summary: 'Studio font',
    description: 'The file of a font that templates may name, for the fields of the studio.',
    scope: 'read',
    embed: 'edit',
    query: {
      family: {
        description: 'A bundled family, or one of the organization.',
        required: true,
        schema: { type: 'string' },
        example: 'Inter',
      },
      weight: {
        description: 'The file of the nearest weight is sent; 400 unless given.',
        schema: { type: 'integer', minimum: 1, maximum: 1000 },
      },
      style: {
        description: '`italic`, or upright.',
        schema: { type: 'string', enum: ['normal', 'italic'] },
      },
    },
    answers: { 200: textAnswer('Studio font', 'application/octet-stream') },
    errors: { 404: 'There is no such family.' },
  },
  ({ fonts, inspector }: FontParts) =>
    async (exchange, { holder }) => {
      // Lenient: a weight that is no number gives any file of the family.
      const query = parseQuery(exchange.query);
      const family = firstValue(query, 'family') ?? '';
      const weight = Number(firstValue(query, 'weight') ?? 400);
      const isItalic = firstValue(query, 'style') === 'italic';
      const isNamed = (known: { family: string }): boolean =>
        known.family.toLowerCase() === family.toLowerCase();
      const [stored] = fonts.findFamilies(holder.uid, documentWith(family));
      const files = stored?.files ?? (await inspector.bundledFamilies()).find(isNamed)?.files ?? [];
      const file = nearestFile(files, weight, isItalic);
      const found = stored && { ...stored, files: stored.files.filter((each) => each === file) };
      const isLost = found && (await fonts.restoreFiles(holder.uid, [found])) !== 'restored';
      if (file === undefined || isLost === true) {
        throw new AppError('NOT_FOUND', 'Font not found', { reason: 'font' });
      }
      const headers = [
        'Content-Type',
        'application/octet-stream',
        'Cache-Control',
        fontCacheControl,
        'X-Content-Type-Options',
        'nosniff',
      ];
      return { status: 200, headers, body: await inspector.readFile(file) };
    },
);

/** A minimal document that names `family`, because the store finds fonts by documents. */
function documentWith(family: string): Template {
  return {
    format: 1,
    name: family,
    width: 1,
    height: 1,
    fonts: [family],
    variables: [],
    layers: [],
  };
}

/** Finds the file with the nearest weight, of the given style if there is one; undefined without files. */
function nearestFile(
  files: readonly FontFile[],
  weight: number,
  isItalic: boolean,
): FontFile | undefined {
  const styled = files.filter(({ italic }) => italic === isItalic);
  const candidates = styled.length > 0 ? styled : files;
  const distance = (file: FontFile): number => Math.abs(file.weight - weight);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}
