/** `/v1/assets`: uploads images by body or by address, lists them, gives their files back and deletes them. */
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { parseQuery } from '../http/query.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import { ImageError } from '../images/image-error.ts';
import type { ImageLoader } from '../images/load-images.ts';
import { checkImage } from '../publish/check-image.ts';
import type { RenderPool } from '../scheduling/pool.ts';
import type { AssetStore } from '../store/assets/asset-store.ts';
import { pageAssetsMax } from '../store/assets/asset-store.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import { badBody, createBodyReader, parsePage } from './request/input.ts';
import { AssetFromUrlRequest } from './schemas/assets.ts';

/** What the endpoints of assets need. */
export interface AssetService {
  organizations: Pick<OrganizationStore, 'findByKey'>;
  assets: AssetStore;
  loader: Pick<ImageLoader, 'admitFile' | 'loadImage'>;
  pool: Pick<RenderPool, 'run'>;
}

/** Bytes of a body (contract, write API); the fetcher takes as much from an address. */
export const uploadBytesMax = 10 * 1024 * 1024;

/** Assets of a page when the caller does not say, as of templates. */
const limitDefault = 20;

const idPattern = /^(?:asset(?::|%3A))?([0-9a-f]{64})$/i;

/**
 * `POST` 200 with `{id, type, width, height, bytes, created_at}`, also for a file that is known; 400 for a damaged
 * image or an address that gives none, 413 for one that is too large or does not fit the organization's quota, 415 for
 * what is no supported image. `GET` 200 with `{assets, total, limit, offset}`, `GET` and `DELETE` of one by its id: 404 for
 * another organization's, 409 while a template uses it.
 */
export function assetRoutes(service: AssetService): Route[] {
  const { organizations, assets } = service;
  return [
    {
      name: 'assets',
      path: '/v1/assets',
      errorShape: 'organization',
      bodyBytesMax: uploadBytesMax,
      async post(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const id = await saveUpload(service, uid, exchange);
        return jsonReply(200, assets.findSummary(uid, id), { Location: `/v1/assets/${id}` });
      },
      get(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'read');
        const { limit, offset } = parsePage(
          parseQuery(exchange.query),
          limitDefault,
          pageAssetsMax,
        );
        return jsonReply(200, { ...assets.listAssets(uid, limit, offset), limit, offset });
      },
    },
    {
      name: 'asset',
      path: '/v1/assets/:id',
      errorShape: 'organization',
      get(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'read');
        const id = parseId(exchange);
        const file = assets.findFile(uid, id);
        if (file === undefined) throw notFound();
        return fileReply(exchange, id, file);
      },
      async delete(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const id = parseId(exchange);
        if (!(await whenFree(() => assets.deleteAsset(uid, id)))) throw notFound();
        return emptyReply(204);
      },
    },
  ];
}

const readAddress = createBodyReader(AssetFromUrlRequest);

async function saveUpload(
  { assets, loader, pool }: AssetService,
  organizationUid: string,
  exchange: Exchange,
): Promise<string> {
  const body = await exchange.readBody();
  if (body.length === 0) {
    const message = 'is empty, expected an image file or {"url": "https://…"}';
    throw badBody([{ path: '(document)', message }], 'body');
  }
  const { deadline } = exchange;
  const { signal } = deadline;
  const asker = { organizationUid, templateUid: '' };
  try {
    // What it is is told by its bytes: no image begins with a brace.
    const isAddress = /^\s*\{/.test(body.toString('latin1', 0, 64));
    if (!isAddress) {
      const image = await loader.admitFile(body, asker, signal);
      // Of an SVG the file itself is kept beside its drawing.
      const drawing = image.pixelRatio === undefined ? undefined : image.bytes;
      // The drawing was made here, and is whole.
      if (drawing === undefined) await checkImage(image, organizationUid, pool, deadline);
      return await whenFree(() => assets.saveAsset(organizationUid, body, image, drawing));
    }
    const { url } = await readAddress(exchange);
    if (!/^https?:\/\//i.test(url)) throw new ImageError('url', 'is no http(s) URL');
    const { image } = await loader.loadImage(url, asker, signal);
    await checkImage(image, organizationUid, pool, deadline);
    return await whenFree(() => assets.saveAsset(organizationUid, image.bytes, image));
  } catch (error) {
    throw toAppError(error);
  }
}

/** The picture's own words begin with a verb. */
function toAppError(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error;
  const { reason } = error;
  if (reason === 'overloaded') {
    const sentence = 'Too many images are being fetched or drawn; ask again in a moment.';
    const retryAfterSeconds = error.retryAfterSeconds ?? 1;
    return new AppError('OVERLOADED', sentence, { reason: 'images', retryAfterSeconds });
  }
  const codes = { not_image: 'UNSUPPORTED_MEDIA_TYPE', too_large: 'PAYLOAD_TOO_LARGE' } as const;
  const code = reason === 'not_image' || reason === 'too_large' ? codes[reason] : 'BAD_REQUEST';
  return new AppError(code, `The image ${error.message}.`, { reason });
}

/** Nothing in the file may run or load, whoever opens it: an SVG is a document with scripts to a browser. */
const fileHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'private, no-cache'],
].flat();

function fileReply(
  { ifNoneMatch }: Exchange,
  id: string,
  { bytes, type }: { bytes: Buffer; type: string },
): Reply {
  const digest = id.slice('asset:'.length);
  const headers = [...fileHeaders, 'ETag', `"${digest}"`];
  if (ifNoneMatch.includes(`"${digest}"`)) return { status: 304, headers };
  const name = `${digest.slice(0, 16)}.${/\w+/.exec(type.slice('image/'.length))?.[0] ?? 'bin'}`;
  const disposition = `attachment; filename="${name}"`;
  const described = ['Content-Type', type, 'Content-Disposition', disposition];
  return { status: 200, headers: [...described, ...headers], body: bytes };
}

/** The full id of an asset, whose prefix may be left out or encoded. */
function parseId({ parameter }: Exchange): string {
  const digest = idPattern.exec(parameter)?.[1];
  if (digest === undefined) throw notFound();
  return `asset:${digest.toLowerCase()}`;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Asset not found', { reason: 'asset' });
}
