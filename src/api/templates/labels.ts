/** `PATCH /v1/templates/{uid}`: the folder and the tags of a template. */
import { Type } from 'typebox';
import { jsonReply } from '../../http/reply.ts';
import { whenFree } from '../../store/database/store-error.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { jsonAnswer, jsonBody, uidParameter } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import { noTemplate, requireTemplate } from '../request/organization-template.ts';
import { closed, noTemplateHere } from '../shared-schemas.ts';

/** Upper bounds: characters of a folder and of a tag, and tags of one template. */
export const labelLimits = { folderLength: 100, tagLength: 40, tags: 20 } as const;

/** Pattern of a text without spaces at its ends, so that two names that look the same are equal. */
const trimmed = String.raw`^(\S(.*\S)?)?$`;

const LabelsRequest = Type.Object(
  {
    folder: Type.Optional(
      Type.String({
        maxLength: labelLimits.folderLength,
        pattern: trimmed,
        description: 'empty: in no folder; a folder exists as long as a template is in it',
      }),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.String({ minLength: 1, maxLength: labelLimits.tagLength, pattern: trimmed }),
        { maxItems: labelLimits.tags, description: 'in place of all that it has' },
      ),
    ),
  },
  { ...closed, $id: 'LabelsRequest' },
);

const Labels = Type.Object(
  { folder: Type.String(), tags: Type.Array(Type.String()) },
  { $id: 'Labels' },
);

export const setLabels = endpoint(
  {
    tag: 'Templates',
    errorShape: 'organization',
    id: 'setLabels',
    route: 'template-labels',
    method: 'patch',
    path: '/v1/templates/{uid}',
    summary: 'Arrange a template',
    description:
      'Sets the folder or the tags of a template, or both. They arrange lists: neither the draft nor a published version changes.',
    scope: 'write',
    pathParameters: { uid: uidParameter },
    body: jsonBody('What changes.', LabelsRequest, { folder: 'Spring', tags: ['email'] }),
    answers: {
      200: jsonAnswer('Folder and tags.', Labels, { folder: 'Spring', tags: ['email'] }),
    },
    errors: { 400: 'The body is not valid.', 404: noTemplateHere },
    clientCall:
      "await platen.request('PATCH /v1/templates/{uid}', { path: { uid: 'hello' }, body: { folder: 'Spring' } })",
  },
  ({ templates }: { templates: Pick<TemplateStore, 'hasTemplate' | 'setLabels'> }) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const changes = await readBody();
      const labels = await whenFree(() => templates.setLabels(holder.uid, uid, changes));
      if (labels === undefined) throw noTemplate();
      return jsonReply(200, labels);
    },
);
