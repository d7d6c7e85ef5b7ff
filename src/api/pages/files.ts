/** `GET /pages/{file}` and `GET /client.js`: what the pages load, and the client for browsers. */
import { AppError } from '../../foundation/errors.ts';
import type { Route } from '../../http/server.ts';
import { loadBrowserCode } from './browser-code.ts';
import { fileReply, pageFile, sharedFileReply } from './reply.ts';
import type { PageFile } from './reply.ts';

/** Media types of bundled files, by the ends of their names. */
export const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

/** Both routes. */
export function pageFileRoutes(): Route[] {
  const files = new Map<string, PageFile>();
  /** Finds a file by its path in `dist/`; throws NOT_FOUND. */
  const find = async (path: string): Promise<PageFile> => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const text = (await loadBrowserCode()).get(path);
    if (text === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such file; check the path.', { reason: 'path' });
    }
    const file = pageFile(mediaTypes[path.split('.').at(-1) ?? ''] ?? 'text/plain', text);
    files.set(path, file);
    return file;
  };
  return [
    {
      name: 'page-file',
      path: '/pages/:file',
      errorShape: 'render',
      get: async (exchange) => fileReply(exchange, await find(`pages/${exchange.parameter}`)),
    },
    {
      name: 'client',
      path: '/client.js',
      errorShape: 'render',
      get: async (exchange) => sharedFileReply(exchange, await find('client.js')),
    },
  ];
}
