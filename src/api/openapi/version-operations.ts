/** The description of published versions, and what they have in common with drafts. */
import type { Operation, Parameter } from './operation.ts';
import { json, jsonAnswer, pageParameters, ref, uidParameter } from './operation.ts';

/** A content id, for examples. */
export const cid = '9f2c7b1e5a3d48c6b0e4f7a1d2938c5e';

/** Guards a change against a lost race. */
export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `cid` under which the draft was read, in quotes: somebody else’s change in between answers 412. Absent: the draft is changed whatever it is.',
  schema: { type: 'string' },
};

/** Another organization's is as absent as one that nobody has. */
export const noTemplate = 'No such template in the organization.';
/** The answer to such a race. */
export const lostRace = 'The draft is no longer the one that `If-Match` names.';
/** Versions of templates. */
export const versionOperations: readonly Operation[] = [
  {
    tag: 'Templates',
    errorShape: 'organization',
    id: 'publishTemplate',
    method: 'post',
    path: '/v1/templates/{uid}/publish',
    summary: 'Publish',
    description:
      'Makes the draft the next version: 1, 2, 3 …. With `version`, that older version’s document becomes the next one: a way back. Links follow at once.',
    scope: 'write',
    parameters: [uidParameter, ifMatch],
    body: {
      description: 'A note for people, or the version to go back to.',
      required: false,
      content: json(ref('PublishRequest'), { note: 'Larger name' }),
    },
    answers: { 200: jsonAnswer('The new version.', ref('Published'), { version: 2, cid }) },
    errors: {
      400: 'The body is not valid, or the default image cannot be drawn.',
      404: 'No such template or version.',
      409: 'The draft was changed while it was being published.',
      412: lostRace,
      503: 'The service is too busy to draw the default image: nothing is published. `Retry-After` says when to retry.',
    },
    clientCall:
      "const { version } = await platen.publishTemplate('hello', { note: 'Larger name' })",
  },
  {
    tag: 'Templates',
    errorShape: 'organization',
    id: 'listTemplateVersions',
    method: 'get',
    path: '/v1/templates/{uid}/versions',
    summary: 'List versions',
    description: 'Published versions, newest first; 100 a page unless asked for fewer.',
    scope: 'read',
    parameters: [uidParameter, ...pageParameters.map(withoutDefault)],
    answers: {
      200: jsonAnswer('The versions.', ref('VersionList'), {
        versions: [{ version: 1, cid, published_at: '2026-01-31T09:00:00.000Z', note: '' }],
        total: 1,
        limit: 100,
        offset: 0,
      }),
    },
    errors: { 400: '`limit` or `offset` is no whole number.', 404: noTemplate },
    clientCall: "const { versions } = await platen.listTemplateVersions('hello')",
  },
];

/** Pages of versions are longer than those of other lists. */
function withoutDefault(parameter: Parameter): Parameter {
  if (parameter.name !== 'limit') return parameter;
  return { ...parameter, schema: { type: 'integer', minimum: 1, default: 100 } };
}
