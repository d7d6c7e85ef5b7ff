/** The description of the samples. */
import type { Operation } from './operation.ts';
import { json, jsonAnswer, ref, uidParameter } from './operation.ts';

const shared = { tag: 'Templates', scope: 'read', errorShape: 'organization' } as const;

const uid = { ...uidParameter, description: 'Uid of the sample.', example: 'welcome-banner' };

const noSample = 'There is no such sample.';

/** Templates to begin with. */
export const sampleOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'listSamples',
    method: 'get',
    path: '/v1/samples',
    summary: 'List samples',
    description: 'The templates that come with the service, for every organization.',
    answers: {
      200: jsonAnswer('All samples.', ref('SampleList'), {
        samples: [{ uid: 'welcome-banner', name: 'Welcome banner', width: 1200, height: 630 }],
      }),
    },
    clientCall: 'const { samples } = await platen.listSamples()',
  },
  {
    ...shared,
    id: 'getSampleDocument',
    method: 'get',
    path: '/v1/samples/{uid}',
    summary: 'Get a sample',
    description:
      'The document of a sample, for previews. To save it, make a copy: only the copy stores its images for the organization.',
    parameters: [uid],
    answers: { 200: jsonAnswer('The document.', ref('TemplateDocument')) },
    errors: { 404: noSample },
    clientCall: "const document = await platen.getSampleDocument('welcome-banner')",
  },
  {
    ...shared,
    id: 'copySample',
    method: 'post',
    path: '/v1/samples/{uid}/copy',
    summary: 'Copy a sample',
    description: 'Saves a sample as a new draft of the organization, with its images as assets.',
    scope: 'write',
    parameters: [uid],
    body: {
      description: 'Uid and name of the copy.',
      required: false,
      content: json(ref('DuplicateRequest'), { uid: 'my-banner', name: 'My banner' }),
    },
    answers: {
      201: jsonAnswer('The copy.', ref('Draft'), {
        uid: 'my-banner',
        cid: '0f8a2c31d94e5b67a8c90d1e2f3a4b5c',
        version: null,
      }),
    },
    errors: { 400: 'The body is not valid.', 404: noSample, 409: 'The uid is taken.' },
    clientCall: "await platen.copySample('welcome-banner', { uid: 'my-banner' })",
  },
];
