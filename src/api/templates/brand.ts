/** `/v1/brand`: the brand kit of the organization, and the templates that follow it. */
import { Type } from 'typebox';
import { emptyBrand } from '#language/brand.ts';
import type { Brand as BrandValue } from '#language/brand.ts';
import { brandIdPattern } from '#language/schema/brand.ts';
import { Color } from '#language/schema/paint.ts';
import { firstValue, parseQuery } from '../../http/query.ts';
import { jsonReply } from '../../http/reply.ts';
import { applyBrand } from '../../publish/brand-follower.ts';
import { createPublisher } from '../../publish/publisher.ts';
import type { PublisherOptions } from '../../publish/publisher.ts';
import type { AssetStore } from '../../store/assets/asset-store.ts';
import { repeatWhileBusy, whenFree } from '../../store/database/store-error.ts';
import type { BrandStore } from '../../store/team/brand-store.ts';
import { jsonAnswer, jsonBody, uidParameter } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import { badBody } from '../request/input.ts';
import { noTemplate, requireTemplate } from '../request/organization-template.ts';
import { closed, noTemplateHere, nullable, Timestamp } from '../shared-schemas.ts';

/** Upper bound of the entries of each kind. */
const entriesMax = 50;

const entry = {
  id: Type.String({
    pattern: brandIdPattern,
    expected: 'a text of 1 to 40 small letters, digits or -, unique in the kit',
    description: 'what templates follow it by',
  }),
  name: Type.String({ minLength: 1, maxLength: 60, description: 'for people' }),
};
const family = Type.String({ minLength: 1, maxLength: 100, description: 'a font family' });

const Brand = Type.Object(
  {
    colors: Type.Array(
      Type.Object({ ...entry, value: { ...Color, description: 'the colour' } }, closed),
      {
        maxItems: entriesMax,
        description: 'colours of the brand',
      },
    ),
    textStyles: Type.Array(
      Type.Object(
        {
          ...entry,
          fontFamily: Type.Optional(family),
          fontSize: Type.Optional(
            Type.Number({ minimum: 1, maximum: 2000, description: 'in pixels' }),
          ),
          fontWeight: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1000, description: '400 is regular, 700 bold' }),
          ),
          fontStyle: Type.Optional(
            Type.Enum(['normal', 'italic'], { description: 'upright or italic' }),
          ),
          lineHeight: Type.Optional(
            Type.Number({ minimum: 0.5, maximum: 4, description: 'a multiple of the font size' }),
          ),
          letterSpacing: Type.Optional(
            Type.Number({
              minimum: -100,
              maximum: 400,
              description: 'extra space after each character, in pixels',
            }),
          ),
        },
        closed,
      ),
      { maxItems: entriesMax, description: 'how letters look, without their colour' },
    ),
    logos: Type.Array(
      Type.Object(
        {
          ...entry,
          src: Type.String({
            pattern: '^asset:[0-9a-f]{64}$',
            expected: 'the id of an asset',
            description: 'id of the uploaded image',
          }),
        },
        closed,
      ),
      { maxItems: entriesMax, description: 'uploaded images that stand for the brand' },
    ),
    fonts: Type.Array(Type.Object({ ...entry, family }, closed), {
      maxItems: entriesMax,
      description: 'font families of the brand',
    }),
  },
  { ...closed, $id: 'Brand' },
);

const StoredBrand = Type.Object(
  { brand: Brand, updated_at: nullable(Timestamp, 'null before the first change') },
  { ...closed, $id: 'StoredBrand' },
);

const BehindList = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          uid: Type.String(),
          name: Type.String(),
          published: Type.Boolean({ description: 'its links show other values, too' }),
        },
        closed,
      ),
      { maxItems: 20, description: 'by uid' },
    ),
    next: nullable(Type.String(), 'what `after` goes on with; null at the end'),
  },
  { ...closed, $id: 'BehindList' },
);

const FollowedBrand = Type.Object(
  {
    draft: Type.Boolean({ description: 'the draft has changed' }),
    version: nullable(
      Type.Integer({ minimum: 1 }),
      'the new version, which links show; null if they did not change',
    ),
  },
  { ...closed, $id: 'FollowedBrand' },
);

const brandExample = {
  colors: [{ id: 'primary', name: 'Primary', value: '#b93a12' }],
  textStyles: [{ id: 'heading', name: 'Heading', fontFamily: 'Fraunces', fontWeight: 600 }],
  logos: [],
  fonts: [{ id: 'body', name: 'Body', family: 'Inter' }],
} satisfies BrandValue;
const storedExample = { brand: brandExample, updated_at: '2026-01-31T09:00:00.000Z' };

const shared = { tag: 'Brand', errorShape: 'organization' } as const;

interface BrandParts {
  brands: BrandStore;
}

const getBrand = endpoint(
  {
    ...shared,
    id: 'getBrand',
    route: 'brand',
    method: 'get',
    path: '/v1/brand',
    summary: 'Get the brand kit',
    description: 'The colours, text styles, logos and fonts of the organization.',
    scope: 'read',
    embed: 'edit',
    answers: { 200: jsonAnswer('The kit.', StoredBrand, storedExample) },
    clientCall: "const { brand } = await platen.request('GET /v1/brand')",
  },
  ({ brands }: BrandParts) =>
    (_, { holder }) =>
      jsonReply(200, brands.findBrand(holder.uid) ?? { brand: emptyBrand, updated_at: null }),
);

const putBrand = endpoint(
  {
    ...shared,
    id: 'putBrand',
    route: 'brand',
    method: 'put',
    path: '/v1/brand',
    summary: 'Replace the brand kit',
    description:
      'Replaces all of it. No template and no link changes: `GET /v1/brand/behind` lists those that follow it, and `POST /v1/templates/{uid}/brand` brings one up to it.',
    scope: 'write',
    body: jsonBody('The whole kit, 64 KiB at most.', Brand, brandExample),
    bodyBytesMax: 128 * 1024,
    answers: { 200: jsonAnswer('The kit.', StoredBrand, storedExample) },
    errors: { 400: 'The body is not valid, two entries have one id, or a logo is no asset.' },
    clientCall:
      "await platen.request('PUT /v1/brand', { body: { colors: [{ id: 'primary', name: 'Primary', value: '#b93a12' }], textStyles: [], logos: [], fonts: [] } })",
  },
  ({ brands, assets }: BrandParts & { assets: Pick<AssetStore, 'findSummary'> }) =>
    async (_, { holder, readBody }) => {
      const brand = await readBody();
      const problems = [
        ...repeatedIds(brand),
        ...brand.logos.flatMap(({ src }, index) =>
          assets.findSummary(holder.uid, src) === undefined
            ? [{ path: `logos[${index}].src`, message: 'is no asset of the organization' }]
            : [],
        ),
      ];
      if (problems.length > 0) throw badBody(problems, 'body');
      return jsonReply(200, await whenFree(() => brands.saveBrand(holder.uid, brand)));
    },
);

function repeatedIds(brand: BrandValue): { path: string; message: string }[] {
  const seen = new Set<string>();
  return Object.entries(brand).flatMap(([kind, entries]: [string, { id: string }[]]) =>
    entries.flatMap(({ id }, index) => {
      const isNew = !seen.has(id);
      seen.add(id);
      const message = `is ${JSON.stringify(id)}, which another entry has`;
      return isNew ? [] : [{ path: `${kind}[${index}].id`, message }];
    }),
  );
}

const listBehind = endpoint(
  {
    ...shared,
    id: 'listBehindBrand',
    route: 'brand-behind',
    method: 'get',
    path: '/v1/brand/behind',
    summary: 'List templates behind the kit',
    description:
      'Templates that follow the kit and have other values than it has now. A page may be empty and have a next one.',
    scope: 'read',
    query: {
      after: {
        description: '`next` of the page before.',
        schema: { type: 'string', default: '' },
      },
    },
    answers: {
      200: jsonAnswer('A page of them.', BehindList, {
        templates: [{ uid: 'hello', name: 'Hello', published: true }],
        next: null,
      }),
    },
    clientCall: "const { templates } = await platen.request('GET /v1/brand/behind')",
  },
  ({ brands }: BrandParts) =>
    async (exchange, { holder }) => {
      const after = firstValue(parseQuery(exchange.query), 'after') ?? '';
      return jsonReply(200, await repeatWhileBusy(() => brands.listBehind(holder.uid, after)));
    },
);

const followBrand = endpoint(
  {
    ...shared,
    id: 'followBrand',
    route: 'follow-brand',
    method: 'post',
    path: '/v1/templates/{uid}/brand',
    summary: 'Apply the brand kit',
    description:
      'Brings a template up to the kit. The published version is published again with the values of the kit, without what waits in the draft. The draft gets them, too. Links with `_version` show what they showed.',
    scope: 'write',
    pathParameters: { uid: uidParameter },
    answers: {
      200: jsonAnswer('What has changed.', FollowedBrand, { draft: true, version: 3 }),
    },
    errors: {
      400: 'The template is not valid with these values, or its default image cannot be drawn.',
      404: noTemplateHere,
      412: 'The template was changed meanwhile.',
      503: 'The service is too busy to draw the default image. `Retry-After` says when to retry.',
    },
    clientCall:
      "const { version } = await platen.request('POST /v1/templates/{uid}/brand', { path: { uid: 'hello' } })",
  },
  (parts: PublisherOptions & BrandParts) => {
    const publisher = createPublisher(parts);
    const { templates, brands } = parts;
    return async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      await readBody();
      const brand = brands.findBrand(holder.uid)?.brand ?? emptyBrand;
      const followed = await applyBrand(
        { templates, publisher },
        [holder.uid, uid],
        brand,
        exchange.deadline,
      );
      if (followed === undefined) throw noTemplate();
      return jsonReply(200, followed);
    };
  },
);

export const brandEndpoints = [getBrand, putBrand, listBehind, followBrand];
