/** `/v1/assets`: uploads images by body or by address, lists them, returns their files and deletes them. */
import { Type } from 'typebox';
import { inShortTurn } from '../foundation/deadline.ts';
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import { ImageError } from '../images/image-error.ts';
import type { ImageLoader } from '../images/load-images.ts';
import { checkImage } from '../publish/preview.ts';
import type { RenderPool } from '../scheduling/pool.ts';
import type { AssetStore } from '../store/assets/asset-store.ts';
import { pageAssetsMax } from '../store/assets/asset-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import { fileContent, json, jsonAnswer, pageQuery, pathParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { badBody, readBody } from './request/input.ts';
import { closed, pageProperties } from './shared-schemas.ts';

/** Services that the endpoints need. */
export interface AssetParts {
  assets: AssetStore;
  loader: Pick<ImageLoader, 'admitFile' | 'loadImage'>;
  pool: Pick<RenderPool, 'run'>;
}

/** Upper bound of an uploaded body in bytes (contract, write API). The image loader bounds files from addresses. */
export const uploadBytesMax = 10 * 1024 * 1024;

const idPattern = /^(?:asset(?::|%3A))?([0-9a-f]{64})$/i;

/** The JSON body of an upload by address. Any other body is the file itself. */
const AssetFromUrlRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'an http or https address of an image, a public share link included',
    }),
  },
  { ...closed, $id: 'AssetFromUrlRequest' },
);

const AssetResponse = Type.Object(
  {
    id: Type.String({
      pattern: '^asset:[0-9a-f]{64}$',
      description: 'how templates and links name it',
    }),
    type: Type.String({ description: 'media type of the file, such as image/png' }),
    width: Type.Number({ description: 'as it is seen, design pixels' }),
    height: Type.Number({ description: 'as it is seen, design pixels' }),
    bytes: Type.Integer({
      minimum: 1,
      description: 'stored bytes; of an SVG with those of its drawing',
    }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'AssetResponse' },
);

const AssetListResponse = Type.Object(
  {
    assets: Type.Array(AssetResponse, { maxItems: 100, description: 'newest first' }),
    total: Type.Integer({ minimum: 0 }),
    ...pageProperties,
  },
  { $id: 'AssetListResponse' },
);

const assetExample = {
  id: 'asset:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  type: 'image/png',
  width: 640,
  height: 480,
  bytes: 81_920,
  created_at: '2026-01-31T09:00:00.000Z',
};

const shared = { tag: 'Assets', errorShape: 'organization' } as const;

const pathParameters = {
  id: pathParameter('Id of the asset, with or without `asset:`.', assetExample.id),
};

const noSuchAsset = 'No such asset in the organization.';

/** Repeated uploads of the same file get the same answer. */
const uploadAsset = endpoint(
  {
    ...shared,
    id: 'uploadAsset',
    route: 'assets',
    method: 'post',
    path: '/v1/assets',
    summary: 'Upload an image',
    description:
      'Stores an image of at most 10 MiB, sent as the body or fetched from an address. Templates name it by its id. The same bytes again are the same asset.',
    scope: 'write',
    embed: 'edit',
    body: {
      description: 'The file, whatever its content type says, or the address of one.',
      required: true,
      content: {
        ...fileContent('application/octet-stream', 'image/*'),
        ...json(AssetFromUrlRequest, { url: 'https://example.com/photo.jpg' }),
      },
    },
    bodyBytesMax: uploadBytesMax,
    answers: {
      200: {
        ...jsonAnswer('The asset.', AssetResponse, assetExample),
        headers: { Location: { description: 'Address of the asset.', schema: { type: 'string' } } },
      },
    },
    errors: {
      400: 'The image is damaged, or the address has none.',
      413: 'It is too large, or the organization’s space is full.',
      415: 'It is not an image of a supported format.',
      503: 'Too many uploads are in progress; `Retry-After` says when to retry.',
    },
    clientCall: 'const { id } = await platen.uploadAsset(bytes)',
  },
  (parts: AssetParts) =>
    async (exchange, { holder }) => {
      const id = await saveUpload(parts, holder.uid, exchange);
      const asset = parts.assets.findSummary(holder.uid, id);
      return jsonReply(200, asset, { Location: `/v1/assets/${id}` });
    },
);

const listAssets = endpoint(
  {
    ...shared,
    id: 'listAssets',
    route: 'assets',
    method: 'get',
    path: '/v1/assets',
    summary: 'List assets',
    description: 'The organization’s assets, newest first.',
    scope: 'read',
    embed: 'edit',
    query: pageQuery,
    answers: {
      200: jsonAnswer('A page of assets.', AssetListResponse, {
        assets: [assetExample],
        total: 1,
        limit: 20,
        offset: 0,
      }),
    },
    errors: { 400: '`limit` or `offset` is no whole number.' },
    clientCall: 'const { assets, total } = await platen.listAssets()',
  },
  ({ assets }: AssetParts) =>
    (_, { holder, readQuery }) => {
      const { limit: wanted, offset } = readQuery();
      const limit = Math.min(wanted, pageAssetsMax);
      return jsonReply(200, { ...assets.listAssets(holder.uid, limit, offset), limit, offset });
    },
);

const getAsset = endpoint(
  {
    ...shared,
    id: 'getAsset',
    route: 'asset',
    method: 'get',
    path: '/v1/assets/{id}',
    summary: 'Get an image',
    description: 'The file as it was uploaded.',
    scope: 'read',
    embed: 'edit',
    pathParameters,
    answers: {
      200: { description: 'The file.', content: fileContent('image/*') },
      304: { description: 'The caller has this file.' },
    },
    errors: { 404: noSuchAsset },
    clientCall: 'const { bytes, contentType } = await platen.getAsset(id)',
  },
  ({ assets }: AssetParts) =>
    async (exchange, { holder }) => {
      const id = parseAssetId(exchange);
      const file = await inShortTurn(() => assets.findFile(holder.uid, id));
      if (file === undefined) throw notFound();
      return fileReply(exchange, id, file);
    },
);

const deleteAsset = endpoint(
  {
    ...shared,
    id: 'deleteAsset',
    route: 'asset',
    method: 'delete',
    path: '/v1/assets/{id}',
    summary: 'Delete an image',
    description: 'Deletes an asset that no template uses.',
    scope: 'write',
    pathParameters,
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: noSuchAsset, 409: 'A template uses it.' },
    clientCall: 'await platen.deleteAsset(id)',
  },
  ({ assets }: AssetParts) =>
    async (exchange, { holder }) => {
      const id = parseAssetId(exchange);
      if (!(await whenFree(() => assets.deleteAsset(holder.uid, id)))) throw notFound();
      return emptyReply(204);
    },
);

export const assetEndpoints = [uploadAsset, listAssets, getAsset, deleteAsset];

async function saveUpload(
  { assets, loader, pool }: AssetParts,
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
  const requester = { organizationUid, templateUid: '' };
  try {
    // The content type is ignored: no image file begins with a brace.
    const isAddress = /^\s*\{/.test(body.toString('latin1', 0, 64));
    if (!isAddress) {
      const image = await loader.admitFile(body, requester, signal);
      // An SVG is stored together with its drawing.
      const drawing = image.pixelRatio === undefined ? undefined : image.bytes;
      // A drawing needs no check, because this service made it.
      if (drawing === undefined) await checkImage(image, organizationUid, pool, deadline);
      return await whenFree(() => assets.saveAsset(organizationUid, body, image, drawing));
    }
    const { url } = await readBody(exchange, AssetFromUrlRequest);
    if (!/^https?:\/\//i.test(url)) throw new ImageError('url', 'is no http(s) URL');
    const { image } = await loader.loadImage(url, requester, signal);
    await checkImage(image, organizationUid, pool, deadline);
    return await whenFree(() => assets.saveAsset(organizationUid, image.bytes, image));
  } catch (error) {
    throw toAppError(error);
  }
}

/** Converts an `ImageError`, whose message begins with a verb, to an error of the API. */
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

/** Headers that stop the file from running scripts or loading resources: a browser treats an SVG as a document. */
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

/** Parses the id of an asset in the path, with or without its prefix. Throws NOT_FOUND. */
function parseAssetId({ parameter }: Exchange): string {
  const digest = idPattern.exec(parameter)?.[1];
  if (digest === undefined) throw notFound();
  return `asset:${digest.toLowerCase()}`;
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Asset not found', { reason: 'asset' });
}
