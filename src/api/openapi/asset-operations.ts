/** The description of uploads: images and fonts. */
import type { Media, Operation } from './operation.ts';
import { idParameter, json, jsonAnswer, pageParameters, ref } from './operation.ts';

const id = 'asset:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

const asset = {
  id,
  type: 'image/png',
  width: 640,
  height: 480,
  bytes: 81_920,
  created_at: '2026-01-31T09:00:00.000Z',
};

/** A body that is the file itself. */
function file(...types: string[]): Readonly<Record<string, Media>> {
  return Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  );
}

const assetShared = { tag: 'Assets', errorShape: 'organization' } as const;
const assetId = idParameter('Id of the asset, with or without `asset:`.', id);
const noAsset = 'No such asset in the organization.';

const assets: readonly Operation[] = [
  {
    ...assetShared,
    id: 'uploadAsset',
    method: 'post',
    path: '/v1/assets',
    summary: 'Upload an image',
    description:
      'Stores an image of at most 10 MiB, sent as the body or fetched from an address. Templates name it by its id. The same bytes again are the same asset.',
    scope: 'write',
    body: {
      description: 'The file, whatever its content type says, or the address of one.',
      required: true,
      content: {
        ...file('application/octet-stream', 'image/*'),
        ...json(ref('AssetFromUrlRequest'), { url: 'https://example.com/photo.jpg' }),
      },
    },
    answers: {
      200: {
        ...jsonAnswer('The asset.', ref('AssetResponse'), asset),
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
  {
    ...assetShared,
    id: 'listAssets',
    method: 'get',
    path: '/v1/assets',
    summary: 'List assets',
    description: 'The organization’s assets, newest first.',
    scope: 'read',
    parameters: pageParameters,
    answers: {
      200: jsonAnswer('A page of assets.', ref('AssetListResponse'), {
        assets: [asset],
        total: 1,
        limit: 20,
        offset: 0,
      }),
    },
    errors: { 400: '`limit` or `offset` is no whole number.' },
    clientCall: 'const { assets, total } = await platen.listAssets()',
  },
  {
    ...assetShared,
    id: 'getAsset',
    method: 'get',
    path: '/v1/assets/{id}',
    summary: 'Get an image',
    description: 'The file as it was uploaded.',
    scope: 'read',
    parameters: [assetId],
    answers: {
      200: { description: 'The file.', content: file('image/*') },
      304: { description: 'The caller has this file.' },
    },
    errors: { 404: noAsset },
    clientCall: 'const { bytes, contentType } = await platen.getAsset(id)',
  },
  {
    ...assetShared,
    id: 'deleteAsset',
    method: 'delete',
    path: '/v1/assets/{id}',
    summary: 'Delete an image',
    description: 'Deletes an asset that no template uses.',
    scope: 'write',
    parameters: [assetId],
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: noAsset, 409: 'A template uses it.' },
    clientCall: 'await platen.deleteAsset(id)',
  },
];

const fontShared = { tag: 'Fonts', errorShape: 'organization' } as const;

const fonts: readonly Operation[] = [
  {
    ...fontShared,
    id: 'listFonts',
    method: 'get',
    path: '/v1/fonts',
    summary: 'List fonts',
    description: 'Bundled families and those of the organization: weights, styles, scripts.',
    scope: 'read',
    answers: { 200: jsonAnswer('The fonts.', ref('FontListResponse')) },
    clientCall: 'const { families } = await platen.listFonts()',
  },
  {
    ...fontShared,
    id: 'uploadFont',
    method: 'post',
    path: '/v1/fonts',
    summary: 'Upload a font',
    description:
      'Stores a TrueType, OpenType or WOFF2 file of at most 10 MiB for the organization, whose templates then name its family.',
    scope: 'write',
    parameters: [
      {
        name: 'family',
        in: 'query',
        description: 'A name other than that in the font.',
        schema: { type: 'string', maxLength: 100 },
      },
    ],
    body: {
      description: 'The file, whatever its content type says.',
      required: true,
      content: file('application/octet-stream', 'font/ttf', 'font/otf', 'font/woff2'),
    },
    answers: { 201: jsonAnswer('The font.', ref('FontResponse')) },
    errors: {
      400: 'The file is damaged, or the name cannot be one.',
      409: 'The family is a bundled one, or has this weight and style already.',
      413: 'It is too large, or the organization’s space is full.',
      415: 'It is no font of a supported format.',
    },
    clientCall: 'const font = await platen.uploadFont(bytes)',
  },
  {
    ...fontShared,
    id: 'deleteFont',
    method: 'delete',
    path: '/v1/fonts/{id}',
    summary: 'Delete a font',
    description: 'Deletes a font of the organization that no template uses.',
    scope: 'write',
    parameters: [
      idParameter('Id of the font, with or without `font:`.', id.replace('asset', 'font')),
    ],
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such font in the organization.', 409: 'A template uses it.' },
    clientCall: 'await platen.deleteFont(id)',
  },
];

/** Pictures, then fonts. */
export const assetOperations: readonly Operation[] = [...assets, ...fonts];
