/** The description of pages, health and files for tools. */
import type { Operation, Parameter } from './operation.ts';
import { jsonAnswer, ref, uidParameter } from './operation.ts';

const text = { type: 'string' };

/** An address without parameters that answers 200. */
function plain(
  id: string,
  path: string,
  summary: string,
  description: string,
  mediaType: string,
): Operation {
  const schema = mediaType === 'application/json' ? { type: 'object' } : text;
  return {
    id,
    method: 'get',
    path,
    tag: 'Service',
    summary,
    description,
    answers: { 200: { description: summary, content: { [mediaType]: { schema } } } },
    errorShape: 'render',
  };
}

/** The same for a caller that sends the `ETag` of what it has. */
function withTag(operation: Operation): Operation {
  const answers = { ...operation.answers, 304: { description: 'The caller has this file.' } };
  return { ...operation, answers };
}

/** A segment of a path. */
function pathName(name: string, description: string, example: string): Parameter {
  return { name, in: 'path', description, required: true, schema: text, example };
}

/** What needs no key and draws nothing. */
export const serviceOperations: readonly Operation[] = [
  {
    ...plain('healthz', '/healthz', 'Alive', 'The process answers.', 'application/json'),
    answers: { 200: jsonAnswer('The process answers.', ref('Health'), { status: 'ok' }) },
  },
  {
    ...plain('readyz', '/readyz', 'Ready', 'Requests can be served.', 'application/json'),
    answers: {
      200: jsonAnswer('Requests can be served.', ref('Readiness'), {
        status: 'ready',
        database: true,
        workers: true,
        accepting: true,
      }),
      503: jsonAnswer('A part is missing: it is false.', ref('Readiness')),
    },
  },
  plain('home', '/', 'First page', 'A live image, its link and snippets.', 'text/html'),
  plain('docs', '/docs', 'Reference', 'This description for people.', 'text/html'),
  plain('openapi', '/openapi.json', 'OpenAPI', 'This description for tools.', 'application/json'),
  withTag(
    plain(
      'templateSchema',
      '/template.schema.json',
      'Template schema',
      'The template language as a JSON Schema, for editors that complete and check. It has an `ETag`.',
      'application/json',
    ),
  ),
  plain(
    'client',
    '/client.js',
    'JavaScript client',
    'The client as one ES module without dependencies: `import { PlatenClient, renderUrl } from "…/client.js"`.',
    'text/javascript',
  ),
  plain('studio', '/studio', 'Studio', 'The editor of templates, for people.', 'text/html'),
  {
    ...plain(
      'studioFile',
      '/studio/{revision}/{file}',
      'Studio file',
      'Files of the studio. A browser keeps a file of the page’s revision for ever.',
      'text/javascript',
    ),
    parameters: [
      pathName('revision', 'The revision that the page names.', 'YcGIAWEp9UpLHsXx'),
      pathName('file', 'Name of the file.', 'main.js'),
    ],
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/css': { schema: text },
          'text/javascript': { schema: text },
          'application/json': { schema: { type: 'object' } },
        },
      },
    },
    errors: { 404: 'There is no such file.' },
  },
  {
    ...plain(
      'studioFont',
      '/studio/fonts',
      'Studio font',
      'The file of a font that templates may name, for the fields of the studio.',
      'application/octet-stream',
    ),
    scope: 'read',
    parameters: [
      {
        name: 'family',
        in: 'query',
        description: 'A bundled family, or one of the organization.',
        required: true,
        schema: text,
        example: 'Inter',
      },
      {
        name: 'weight',
        in: 'query',
        description: 'The file of the nearest weight is sent; 400 unless given.',
        schema: { type: 'integer', minimum: 1, maximum: 1000 },
      },
      {
        name: 'style',
        in: 'query',
        description: '`italic`, or upright.',
        schema: { type: 'string', enum: ['normal', 'italic'] },
      },
    ],
    errors: { 404: 'There is no such family.' },
    errorShape: 'organization',
  },
  {
    ...withTag(
      plain(
        'variableImage',
        '/v1/templates/{uid}/images/{digest}',
        'Default of an image variable',
        'The file behind a `preview_url` in the details of a template. The digest is the permission: it opens only a default of the published version.',
        'image/png',
      ),
    ),
    parameters: [
      uidParameter,
      pathName(
        'digest',
        'SHA-256 of the file.',
        '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      ),
    ],
    errors: { 404: 'The published version has no such default.' },
    errorShape: 'organization',
  },
  {
    ...plain('pageFile', '/pages/{file}', 'Page file', 'What the pages load.', 'text/css'),
    parameters: [pathName('file', 'Name of the file.', 'platen.css')],
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/css': { schema: text },
          'text/javascript': { schema: text },
          'image/svg+xml': { schema: text },
        },
      },
      304: { description: 'The caller has this file.' },
    },
    errors: { 404: 'There is no such file.' },
  },
];
