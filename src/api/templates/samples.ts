/** `/v1/samples`: templates that come with the service, and their images. */
import { Type } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { AppError } from '../../foundation/errors.ts';
import { SingleFlight } from '../../foundation/single-flight.ts';
import { jsonReply } from '../../http/reply.ts';
import { drawPreview, previewTemplate, resolvePreviewOptions } from '../../publish/preview.ts';
import type { RenderParts } from '../../render/draw.ts';
import { RenderOrder } from '../../render/order.ts';
import { resolveVariables } from '../../render/values.ts';
import { whenFree } from '../../store/database/store-error.ts';
import { copySample } from '../../store/samples.ts';
import type { TableLookup } from '../../render/table-values.ts';
import type { Sample, SampleCopyStores, SampleLibrary } from '../../store/samples.ts';
import { jsonAnswer, jsonBody, uidParameter } from '../declaration.ts';
import { documentBody } from '../drafts.ts';
import { endpoint } from '../endpoint.ts';
import { draftReply } from '../request/organization-template.ts';
import { closed, Draft, DuplicateRequest } from '../shared-schemas.ts';

/** Services that the endpoints need. */
export interface SampleParts
  extends SampleCopyStores, Pick<RenderParts, 'pool' | 'loader' | 'fonts'> {
  samples: SampleLibrary;
  tables: TableLookup;
}

const SampleList = Type.Object(
  {
    samples: Type.Array(
      Type.Object(
        {
          uid: Type.String({ pattern: uidSchemaPattern }),
          name: Type.String(),
          category: Type.String({
            description:
              '`samples`, or the job of a start: `customers`, `documents`, `email`, `events`, `messages`, `shop`, `social`',
          }),
          lang: Type.String({ description: 'the language of its texts, BCP 47' }),
          width: Type.Integer({ minimum: 1, description: 'design pixels' }),
          height: Type.Integer({ minimum: 1, description: 'design pixels' }),
        },
        closed,
      ),
    ),
  },
  { ...closed, $id: 'SampleList' },
);

const shared = { tag: 'Templates', errorShape: 'organization' } as const;

const pathParameters = {
  uid: { ...uidParameter, description: 'Uid of the sample.', example: 'welcome-banner' },
};

const noSample = 'There is no such sample.';

const listSamples = endpoint(
  {
    ...shared,
    id: 'listSamples',
    route: 'samples',
    method: 'get',
    path: '/v1/samples',
    summary: 'List samples',
    description:
      'The templates that come with the service, for every organization: the samples, then starts for common jobs by category.',
    scope: 'read',
    answers: {
      200: jsonAnswer('All samples.', SampleList, {
        samples: [
          {
            uid: 'welcome-banner',
            name: 'Welcome banner',
            category: 'samples',
            lang: 'en',
            width: 1200,
            height: 630,
          },
        ],
      }),
    },
    clientCall: 'const { samples } = await platen.listSamples()',
  },
  ({ samples }: SampleParts) =>
    () =>
      jsonReply(200, {
        samples: samples.list().map(({ uid, category, document }) => {
          const { name, lang = 'en', width, height } = document;
          return { uid, name, category, lang, width, height };
        }),
      }),
);

const getSampleDocument = endpoint(
  {
    ...shared,
    id: 'getSampleDocument',
    route: 'sample',
    method: 'get',
    path: '/v1/samples/{uid}',
    summary: 'Get a sample',
    description:
      'The document of a sample, for previews. To save it, make a copy: only the copy stores its images for the organization.',
    scope: 'read',
    pathParameters,
    answers: { 200: { description: 'The document.', content: documentBody.content } },
    errors: { 404: noSample },
    clientCall: "const document = await platen.getSampleDocument('welcome-banner')",
  },
  ({ samples }: SampleParts) =>
    ({ parameter }) =>
      jsonReply(200, requireSample(samples, parameter).document),
);

/** Options of thumbnails: a lossy format, for small files. */
const thumbnailOptions = { format: 'webp', quality: 70 };

const noQuery = { parameters: [], isTruncated: false };

/** Seconds that a client keeps a thumbnail. */
const thumbnailAgeSeconds = 86_400;

const getSampleImage = endpoint(
  {
    ...shared,
    id: 'getSampleImage',
    route: 'sample-image',
    method: 'get',
    path: '/v1/samples/{uid}/image',
    summary: 'Get the image of a sample',
    description:
      'The sample with its defaults as WebP, for thumbnails. The service draws it once; a countdown shows the time of that render.',
    scope: 'read',
    pathParameters,
    answers: {
      200: {
        description: 'The image.',
        content: { 'image/webp': { schema: { type: 'string' } } },
      },
    },
    errors: {
      404: noSample,
      503: 'Too much is waiting; `Retry-After` says when to come back.',
      504: 'The render did not finish before its deadline.',
    },
    clientCall:
      "await platen.request('GET /v1/samples/{uid}/image', { path: { uid: 'welcome-banner' } })",
  },
  (parts: SampleParts) => {
    // At most one thumbnail for each sample, of 20 to 60 KB.
    const drawn = new Map<string, Uint8Array>();
    const flights = new SingleFlight<Uint8Array>();
    return async (exchange, { holder }) => {
      const sample = requireSample(parts.samples, exchange.parameter);
      const { uid } = sample;
      const draw = async (): Promise<Uint8Array> => {
        const bytes = await drawSample(parts, holder.uid, sample, exchange.deadline);
        drawn.set(uid, bytes);
        return bytes;
      };
      const body = drawn.get(uid) ?? (await flights.run(uid, draw)).value;
      const caching = `private, max-age=${thumbnailAgeSeconds}`;
      return {
        status: 200,
        headers: ['Content-Type', 'image/webp', 'Cache-Control', caching],
        body,
      };
    };
  },
);

async function drawSample(
  parts: SampleParts,
  organizationUid: string,
  { document }: Sample,
  deadline: Deadline,
): Promise<Uint8Array> {
  const template = previewTemplate(organizationUid, document, JSON.stringify(document), []);
  const { options } = resolvePreviewOptions(thumbnailOptions, document);
  const values = resolveVariables(template, noQuery, parts.tables);
  const order = new RenderOrder(template, options, values);
  const { outcome } = await drawPreview(order, {}, parts, deadline);
  return outcome.bytes;
}

const copySampleEndpoint = endpoint(
  {
    ...shared,
    id: 'copySample',
    route: 'copy-sample',
    method: 'post',
    path: '/v1/samples/{uid}/copy',
    summary: 'Copy a sample',
    description: 'Saves a sample as a new draft of the organization, with its images as assets.',
    scope: 'write',
    pathParameters,
    body: jsonBody(
      'Uid and name of the copy.',
      DuplicateRequest,
      { uid: 'my-banner', name: 'My banner' },
      false,
    ),
    answers: {
      201: jsonAnswer('The copy.', Draft, {
        uid: 'my-banner',
        cid: '0f8a2c31d94e5b67a8c90d1e2f3a4b5c',
        version: null,
      }),
    },
    errors: { 400: 'The body is not valid.', 404: noSample, 409: 'The uid is taken.' },
    clientCall: "await platen.copySample('welcome-banner', { uid: 'my-banner' })",
  },
  (parts: SampleParts) =>
    async ({ parameter }, { holder, readBody }) => {
      const sample = requireSample(parts.samples, parameter);
      const copy = await readBody();
      return draftReply(201, await whenFree(() => copySample(parts, holder.uid, sample, copy)));
    },
);

export const sampleEndpoints = [listSamples, getSampleDocument, getSampleImage, copySampleEndpoint];

function requireSample(samples: SampleLibrary, uid: string): Sample {
  const sample = samples.find(uid);
  if (sample === undefined) {
    throw new AppError('NOT_FOUND', 'Sample not found', { reason: 'sample' });
  }
  return sample;
}
