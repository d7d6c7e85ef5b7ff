/** `GET /pages/{file}` and `GET /client.js`: what the pages load, and the client for browsers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../foundation/errors.ts';
import type { Route } from '../../http/server.ts';
import { clientScript, withoutTypes } from './client-script.ts';
import { fileReply, pageFile, sharedFileReply } from './reply.ts';
import type { PageFile } from './reply.ts';

const pagesDirectory = fileURLToPath(new URL('../../pages', import.meta.url));

const scriptType = 'text/javascript; charset=utf-8';

/** How each kind of file that a page loads is read; the other files there are no page's. */
const loaders: Readonly<Record<string, (text: string) => PageFile>> = {
  css: (text) => pageFile('text/css; charset=utf-8', text),
  svg: (text) => pageFile('image/svg+xml', text),
  ts: (text) => pageFile(scriptType, withoutTypes(text).replaceAll(moduleImport, "$1.js';")),
};

/** The pages' modules import each other by the names under which they are served. */
const moduleImport = /(from '\.\/[\w-]+)\.ts';/g;

/** Both routes. Which files there are is known from the start; each is read once, when it is first asked for. */
export function pageFileRoutes(): Route[] {
  const find = fileFinder();
  let client: PageFile | undefined;
  return [
    {
      name: 'page-file',
      path: '/pages/:file',
      errorShape: 'render',
      get: (exchange) => fileReply(exchange, find(exchange.parameter)),
    },
    {
      name: 'client',
      path: '/client.js',
      errorShape: 'render',
      get: (exchange) =>
        sharedFileReply(exchange, (client ??= pageFile(scriptType, clientScript()))),
    },
  ];
}

/** Finds a file by the name that it is served under, never by a path; throws NOT_FOUND. */
function fileFinder(): (name: string) => PageFile {
  const names = readdirSync(pagesDirectory);
  const sources = new Map(names.map((name) => [name.replace(/\.ts$/, '.js'), name]));
  const files = new Map<string, PageFile>();
  return (name) => {
    const source = sources.get(name);
    const load = loaders[source?.split('.').at(-1) ?? ''];
    if (source === undefined || load === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such file; check the path.', { reason: 'path' });
    }
    const file = files.get(name) ?? load(readFileSync(join(pagesDirectory, source), 'utf8'));
    files.set(name, file);
    return file;
  };
}
