/** `/v1/samples`: templates that come with the service. */
import { Type } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import { AppError } from '../../foundation/errors.ts';
import { jsonReply } from '../../http/reply.ts';
import { whenFree } from '../../store/database/store-error.ts';
import { copySample } from '../../store/samples.ts';
import type { Sample, SampleCopyStores, SampleLibrary } from '../../store/samples.ts';
import { jsonAnswer, jsonBody, uidParameter } from '../declaration.ts';
import { draftReply } from '../drafts.ts';
import { endpoint } from '../endpoint.ts';
import { closed, Draft, DuplicateRequest, TemplateDocument } from '../shared-schemas.ts';

/** What the endpoints need. */
export interface SampleParts extends SampleCopyStores {
  samples: SampleLibrary;
}

const SampleList = Type.Object(
  {
    samples: Type.Array(
      Type.Object(
        {
          uid: Type.String({ pattern: uidSchemaPattern }),
          name: Type.String(),
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
    description: 'The templates that come with the service, for every organization.',
    scope: 'read',
    answers: {
      200: jsonAnswer('All samples.', SampleList, {
        samples: [{ uid: 'welcome-banner', name: 'Welcome banner', width: 1200, height: 630 }],
      }),
    },
    clientCall: 'const { samples } = await platen.listSamples()',
  },
  ({ samples }: SampleParts) =>
    () =>
      jsonReply(200, {
        samples: samples
          .list()
          .map(({ uid, document: { name, width, height } }) => ({ uid, name, width, height })),
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
    answers: { 200: jsonAnswer('The document.', TemplateDocument) },
    errors: { 404: noSample },
    clientCall: "const document = await platen.getSampleDocument('welcome-banner')",
  },
  ({ samples }: SampleParts) =>
    ({ parameter }) =>
      jsonReply(200, requireSample(samples, parameter).document),
);

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

export const sampleEndpoints = [listSamples, getSampleDocument, copySampleEndpoint];

function requireSample(samples: SampleLibrary, uid: string): Sample {
  const sample = samples.find(uid);
  if (sample === undefined) {
    throw new AppError('NOT_FOUND', 'Sample not found', { reason: 'sample' });
  }
  return sample;
}
