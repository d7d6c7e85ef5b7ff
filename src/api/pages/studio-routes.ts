/** `GET /studio` and the files of its page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { annotatedSchema } from '#language/schema/document.ts';
import { packagePath } from '#paths.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import type { Route } from '../../http/server.ts';
import { loadBrowserCode, mediaTypes } from './files.ts';
import { escapeHtml, fileReply, htmlFile } from './reply.ts';
import type { PublicUrl } from '../public-url.ts';
import type { PageFile } from './reply.ts';

/** The revision in an address changes with what is behind it. */
const foreverHeader = 'public, max-age=31536000, immutable';

/** Fonts of templates, so that text is typed in the letters that it is drawn with. */
const fontPolicy = "font-src 'self' blob:";

/** The studio as one revision of all its files. */
interface StudioFiles {
  /** Changes with any of them. */
  revision: string;
  /** Texts by their names below the revision. */
  files: ReadonlyMap<string, string>;
}

const studioScript = 'studio.js';
const studioStyle = 'studio.css';
/** Its panels are made from it. */
const studioSchema = 'template.schema.json';

/** Loads the studio's files. */
export async function loadStudioFiles(): Promise<StudioFiles> {
  const code = await loadBrowserCode();
  const files = new Map(
    [studioScript, studioStyle].map((name) => [name, code.get(`studio/${name}`) ?? '']),
  );
  files.set(studioSchema, JSON.stringify(annotatedSchema()));
  const hash = createHash('sha256');
  for (const [name, text] of files) hash.update(name).update('\0').update(text).update('\0');
  return { revision: hash.digest('base64url').slice(0, 16), files };
}

/**
 * The page, and its files below an address that names their revision: kept for ever by a browser that has them. The
 * studio is put together when it is first asked for.
 */
export function studioRoutes(publicUrl: PublicUrl): Route[] {
  let loaded: { files: StudioFiles; page: PageFile } | undefined;
  const load = async (): Promise<{ files: StudioFiles; page: PageFile }> => {
    if (loaded === undefined) {
      const files = await loadStudioFiles();
      loaded = { files, page: studioPage(files, publicUrl()) };
    }
    return loaded;
  };
  const errorShape = 'render';
  return [
    {
      name: 'studio',
      path: '/studio',
      errorShape,
      get: async (exchange) => fileReply(exchange, (await load()).page, fontPolicy),
    },
    {
      name: 'studio-file',
      path: '/studio/:revision/:file',
      errorShape,
      get: async (exchange) => studioFileReply(exchange, (await load()).files),
    },
  ];
}

function studioFileReply(exchange: Exchange, { revision, files }: StudioFiles): Reply {
  const [wantedRevision, name = ''] = exchange.parameters;
  const text = files.get(name);
  if (text === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such file; check the path.', { reason: 'path' });
  }
  const headers = [
    'Content-Type',
    mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain',
    // A page of another revision gets what there is, and asks again next time.
    'Cache-Control',
    wantedRevision === revision ? foreverHeader : 'no-store',
    'X-Content-Type-Options',
    'nosniff',
  ];
  return { status: 200, headers, body: text };
}

/** The addresses are relative, so that the page also works below a path of a proxy. */
function studioPage({ revision }: StudioFiles, base: string): PageFile {
  const html = readFileSync(packagePath('src/studio/index.html'), 'utf8');
  const lines = [
    `<link rel="stylesheet" href="studio/${revision}/${studioStyle}" />`,
    `<script type="module" src="studio/${revision}/${studioScript}"></script>`,
  ];
  return htmlFile(
    html.replace('%files%', lines.join('\n    ')).replace('%base%', escapeHtml(base)),
  );
}
