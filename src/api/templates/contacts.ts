/** `DELETE /v1/templates/{uid}/contacts`: forgets the first opens of evergreen countdowns. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import { AppError } from '../../foundation/errors.ts';
import { parseQuery } from '../../http/query.ts';
import { jsonReply } from '../../http/reply.ts';
import { whenFree } from '../../store/database/store-error.ts';
import type { FirstOpenStore } from '../../store/first-open-store.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { jsonAnswer, uidParameter } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import { requireTemplate } from '../request/organization-template.ts';
import { noTemplateHere } from '../shared-schemas.ts';

/** Services that forgetting contacts needs. */
export interface ContactParts {
  templates: Pick<TemplateStore, 'hasTemplate'>;
  firstOpens: Pick<FirstOpenStore, 'forget' | 'count'>;
}

/** Transactions of one request, of 1,000 contacts each. */
const batchesMax = 50;

const Forgotten = Type.Object(
  {
    deleted: Type.Integer({ minimum: 0 }),
    left: Type.Integer({ minimum: 0, description: 'contacts that the template still has' }),
  },
  { $id: 'ForgottenContacts' },
);

export const forgetContacts = endpoint(
  {
    tag: 'Templates',
    errorShape: 'organization',
    id: 'forgetContacts',
    route: 'contacts',
    method: 'delete',
    path: '/v1/templates/{uid}/contacts',
    summary: 'Forget contacts',
    description:
      'Deletes when a contact, or all contacts, opened a template with an evergreen countdown first: the next open begins a new one. One request deletes at most 50,000 contacts; repeat it while some are left.',
    scope: 'write',
    pathParameters: { uid: uidParameter },
    query: {
      contact: {
        description:
          'The contact: the text that `clock.per` of the template makes of it. Without any query: all.',
        schema: { type: 'string', maxLength: 500 },
      },
    },
    answers: { 200: jsonAnswer('How many.', Forgotten, { deleted: 1, left: 0 }) },
    errors: { 404: noTemplateHere },
    clientCall:
      "await platen.request('DELETE /v1/templates/{uid}/contacts', { path: { uid: 'hello' }, query: { contact: '8f2c' } })",
  },
  ({ templates, firstOpens }: ContactParts) =>
    async (exchange, { holder, readQuery }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const one = readQuery().contact?.trim();
      requireContact(exchange.query, one);
      let deleted = 0;
      for (let batch = 0; batch < batchesMax; batch += 1) {
        const count = await whenFree(() => firstOpens.forget(holder.uid, uid, one));
        deleted += count;
        if (count === 0 || one !== undefined) break;
        await nextTurn();
      }
      return jsonReply(200, { deleted, left: firstOpens.count(holder.uid, uid) });
    },
);

/** Throws BAD_REQUEST for an empty or misspelt `contact`, which would restart the countdown of every reader. */
function requireContact(query: string, contact: string | undefined): void {
  if (contact === undefined ? parseQuery(query).parameters.length === 0 : contact !== '') return;
  throw new AppError(
    'BAD_REQUEST',
    'Invalid contact: expected a contact that is not empty, or no query at all to forget all contacts',
    { reason: 'contact' },
  );
}
