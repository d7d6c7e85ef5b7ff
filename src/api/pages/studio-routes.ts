/** `GET /studio` and the files of its page. */
import { readFileSync } from 'node:fs';
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import type { Route } from '../../http/server.ts';
import { escapeHtml, fileReply, htmlFile } from './reply.ts';
import type { PublicUrl } from '../public-url.ts';
import type { PageFile } from './reply.ts';
import { loadStudioFiles, studioScript, studioStyle } from './studio-files.ts';
import type { StudioFiles } from './studio-files.ts';

/** The revision in an address changes with what is behind it. */
const foreverHeader = 'public, max-age=31536000, immutable';

/** Fonts of templates, so that text is typed in the letters that it is drawn with. */
const fontPolicy = "font-src 'self' blob:";

/**
 * The page, and its files below an address that names their revision: kept for ever by a browser that has them. The
 * studio is put together when it is first asked for.
 */
export function studioRoutes(publicUrl: PublicUrl): Route[] {
  let loaded: { files: StudioFiles; page: PageFile } | undefined;
  const load = (): { files: StudioFiles; page: PageFile } => {
    if (loaded === undefined) {
      const files = loadStudioFiles();
      loaded = { files, page: studioPage(files, publicUrl()) };
    }
    return loaded;
  };
  const errorShape = 'render';
  const sendFile = (exchange: Exchange): Reply => studioFileReply(exchange, load().files);
  return [
    {
      name: 'studio',
      path: '/studio',
      errorShape,
      get: (exchange) => fileReply(exchange, load().page, fontPolicy),
    },
    { name: 'studio-file', path: '/studio/:revision/:file', errorShape, get: sendFile },
  ];
}

function studioFileReply(exchange: Exchange, { revision, files }: StudioFiles): Reply {
  const [wantedRevision, name = ''] = exchange.parameters;
  const file = files.get(name);
  if (file === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such file; check the path.', { reason: 'path' });
  }
  const headers = [
    'Content-Type',
    file.type,
    // A page of another revision gets what there is, and asks again next time.
    'Cache-Control',
    wantedRevision === revision ? foreverHeader : 'no-store',
    'X-Content-Type-Options',
    'nosniff',
  ];
  return { status: 200, headers, body: file.text };
}

/** The addresses are relative, so that the page also works below a path of a proxy. */
function studioPage({ revision, files }: StudioFiles, base: string): PageFile {
  const html = readFileSync(new URL('../../studio/index.html', import.meta.url), 'utf8');
  const addressOf = (name: string): string => `studio/${revision}/${name}`;
  const others = [...files.keys()].filter((name) => name.endsWith('.js') && name !== studioScript);
  const lines = [
    `<link rel="stylesheet" href="${addressOf(studioStyle)}" />`,
    ...others.map((name) => `<link rel="modulepreload" href="${addressOf(name)}" />`),
    `<script type="module" src="${addressOf(studioScript)}"></script>`,
  ];
  return htmlFile(
    html.replace('%files%', lines.join('\n    ')).replace('%base%', escapeHtml(base)),
  );
}
