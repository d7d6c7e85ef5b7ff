/** `GET /pages/{file}` and `GET /client.js`: browser code from `dist/`, or bundled at the first request. */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuilt, packagePath } from '#paths.ts';
import { AppError } from '../foundation/errors.ts';
import { pathParameter } from '../api/declaration.ts';
import type { Reply } from '../http/reply.ts';
import { endpoint } from '../api/endpoint.ts';
import {
  fileReply,
  notModified,
  pageFile,
  pageShared,
  sharedFileReply,
  textAnswer,
} from '../api/request/page-file.ts';
import type { PageFile } from '../api/request/page-file.ts';

/** Files by their paths in `dist/`: `client.js`, `pages/…` and `studio/…`. */
type BrowserCode = ReadonlyMap<string, string>;

let loaded: BrowserCode | undefined;

/** Loads the files once; after a failure the next call tries again. Rejects for sources that cannot be bundled. */
export async function loadBrowserCode(): Promise<BrowserCode> {
  loaded ??= isBuilt ? readBuiltFiles() : await bundleSources();
  return loaded;
}

function readBuiltFiles(): BrowserCode {
  const names = ['pages', 'studio'].flatMap((folder) =>
    readdirSync(packagePath(`dist/${folder}`)).map((name) => `${folder}/${name}`),
  );
  return new Map(
    ['client.js', ...names].map((name) => [
      name,
      readFileSync(packagePath(`dist/${name}`), 'utf8'),
    ]),
  );
}

async function bundleSources(): Promise<BrowserCode> {
  const { bundleBrowserCode } = await import('./bundle.ts');
  return (await bundleBrowserCode()).files;
}

/** Media types of bundled files, by extension. */
export const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

const files = new Map<string, PageFile>();

/** Finds a file by its path in `dist/`. Throws NOT_FOUND. */
async function findFile(path: string): Promise<PageFile> {
  const known = files.get(path);
  if (known !== undefined) return known;
  const text = (await loadBrowserCode()).get(path);
  if (text === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such file; check the path.', { reason: 'path' });
  }
  const file = pageFile(mediaTypes[path.split('.').at(-1) ?? ''] ?? 'text/plain', text);
  files.set(path, file);
  return file;
}

export const pageFileEndpoint = endpoint(
  {
    ...pageShared,
    id: 'pageFile',
    route: 'page-file',
    path: '/pages/{file}',
    summary: 'Page file',
    description: 'What the pages load.',
    pathParameters: { file: pathParameter('Name of the file.', 'platen.css') },
    answers: {
      200: textAnswer('The file.', 'text/css', 'text/javascript', 'image/svg+xml', 'font/woff2'),
      ...notModified,
    },
    errors: { 404: 'There is no such file.' },
  },
  () => async (exchange) => {
    const font = interfaceFonts.get(exchange.parameter);
    if (font !== undefined) return fontReply(font);
    return fileReply(exchange, await findFile(`pages/${exchange.parameter}`));
  },
);

/** Files of `data/interface-fonts/` by their names. */
const interfaceFonts: ReadonlyMap<string, string> = new Map(
  ['inter.woff2', 'fraunces.woff2'].map((name) => [
    name,
    packagePath(`data/interface-fonts/${name}`),
  ]),
);

/** Bytes of the fonts that were sent. */
const fontBytes = new Map<string, Buffer>();

/** Browsers keep the font for a week without revalidation, so that pages do not begin in another font. */
function fontReply(path: string): Reply {
  const headers = ['Content-Type', 'font/woff2', 'Cache-Control', 'public, max-age=604800'];
  const body = fontBytes.get(path) ?? readFileSync(path);
  fontBytes.set(path, body);
  return { status: 200, headers: [...headers, 'X-Content-Type-Options', 'nosniff'], body };
}

export const client = endpoint(
  {
    ...pageShared,
    id: 'client',
    route: 'client',
    path: '/client.js',
    summary: 'JavaScript client',
    description:
      'The client as one ES module without dependencies: `import { PlatenClient, renderUrl } from "…/client.js"`.',
    answers: { 200: textAnswer('JavaScript client', 'text/javascript') },
  },
  () => async (exchange) => sharedFileReply(exchange, await findFile('client.js')),
);
