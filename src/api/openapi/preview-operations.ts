/** The description of previews. */
import { renderFormats } from '#wire/render-job.ts';
import type { Operation } from './operation.ts';
import { json, ref } from './operation.ts';

/** Drawing without saving. */
export const previewOperations: readonly Operation[] = [
  {
    id: 'preview',
    method: 'post',
    path: '/v1/preview',
    tag: 'Preview',
    summary: 'Preview a template',
    description:
      'Draws a document, or a draft or version of a stored template, with values: the same pixels as its link would give. With `Accept: application/json` it answers a report instead: box, lines, final font size, overflow and warnings of each layer.',
    scope: 'read',
    parameters: [
      {
        name: 'Accept',
        in: 'header',
        description: '`application/json` asks for the report.',
        schema: { type: 'string' },
      },
    ],
    body: {
      description: 'What to draw: `template`, or `uid` with `version` or without.',
      required: true,
      content: json(ref('PreviewRequest'), { uid: 'hello', values: { name: 'Amanda' } }),
    },
    answers: {
      200: {
        description: 'The picture, or the report.',
        content: {
          ...Object.fromEntries(
            renderFormats.map((format) => [
              `image/${format}`,
              { schema: { type: 'string', contentMediaType: `image/${format}` } },
            ]),
          ),
          'application/json': { schema: ref('PreviewReportResponse') },
        },
      },
    },
    errors: {
      400: 'The body, the document or a value is not valid: `details` has each problem.',
      404: 'No such template or version in the organization.',
      503: 'Too much is waiting; `Retry-After` says when to come back.',
      504: 'The render did not finish before its deadline.',
    },
    clientCall:
      "const { bytes } = await platen.preview({ uid: 'hello', values: { name: 'Amanda' } })",
    errorShape: 'organization',
  },
];
