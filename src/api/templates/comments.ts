/** `/v1/templates/{uid}/comments`: comments of people on layers of a template. */
import { Type } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import { AppError } from '../../foundation/errors.ts';
import { emptyReply, jsonReply } from '../../http/reply.ts';
import { whenFree } from '../../store/database/store-error.ts';
import { commentsMax } from '../../store/team/comment-store.ts';
import type { CommentStore } from '../../store/team/comment-store.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { jsonAnswer, jsonBody, pathParameter, uidParameter } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import { noTemplate, requireTemplate } from '../request/organization-template.ts';
import { closed, noTemplateHere, nullable, Timestamp } from '../shared-schemas.ts';

interface CommentParts {
  comments: CommentStore;
  templates: Pick<TemplateStore, 'hasTemplate'>;
}

const layer = Type.String({
  pattern: uidSchemaPattern,
  description: 'the id of a layer; it may be gone from the draft',
});
const text = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: String.raw`\S`,
  description: 'what it says',
});

const Comment = Type.Object(
  {
    id: Type.String(),
    layer,
    text,
    author: Type.String({ description: 'the name of the key that wrote it, as it was then' }),
    created_at: Timestamp,
    resolved_at: nullable(Timestamp, 'null: it is open'),
  },
  { ...closed, $id: 'Comment' },
);

const CommentList = Type.Object(
  { comments: Type.Array(Comment, { maxItems: commentsMax, description: 'oldest first' }) },
  { ...closed, $id: 'CommentList' },
);

const NewComment = Type.Object({ layer, text }, { ...closed, $id: 'NewComment' });

const CommentChange = Type.Object(
  { resolved: Type.Boolean({ description: 'false opens it again' }) },
  { ...closed, $id: 'CommentChange' },
);

const example = {
  id: 'cm_4mNzT0aLr2TzK9cBw5eQ',
  layer: 'title',
  text: 'May the name be larger?',
  author: 'Anna',
  created_at: '2026-01-31T09:00:00.000Z',
  resolved_at: null,
};

const shared = { tag: 'Templates', errorShape: 'organization' } as const;
const list = {
  ...shared,
  route: 'comments',
  path: '/v1/templates/{uid}/comments',
  pathParameters: { uid: uidParameter },
} as const;
const single = {
  ...shared,
  route: 'comment',
  path: '/v1/templates/{uid}/comments/{id}',
  pathParameters: { uid: uidParameter, id: pathParameter('Id of the comment.', example.id) },
} as const;
const noSuchComment = 'No such template or comment in the organization.';
const examplePath = `{ path: { uid: 'hello', id: '${example.id}' }`;

const listComments = endpoint(
  {
    ...list,
    id: 'listComments',
    method: 'get',
    summary: 'List comments',
    description: 'What people say about layers of the template, open and resolved.',
    scope: 'read',
    answers: { 200: jsonAnswer('The comments.', CommentList, { comments: [example] }) },
    errors: { 404: noTemplateHere },
    clientCall:
      "const { comments } = await platen.request('GET /v1/templates/{uid}/comments', { path: { uid: 'hello' } })",
  },
  ({ comments, templates }: CommentParts) =>
    (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      return jsonReply(200, { comments: comments.listComments(holder.uid, uid) ?? [] });
    },
);

const addComment = endpoint(
  {
    ...list,
    id: 'addComment',
    method: 'post',
    summary: 'Comment on a layer',
    description:
      'Adds a comment under the name of the key. It stays with the layer when that gets another name. Neither the draft nor a published version changes.',
    scope: 'write',
    body: jsonBody('Which layer, and the text.', NewComment, {
      layer: example.layer,
      text: example.text,
    }),
    answers: { 201: jsonAnswer('The comment.', Comment, example) },
    errors: {
      400: 'The body is not valid.',
      404: noTemplateHere,
      409: `The template has ${commentsMax} comments.`,
      413: 'The organization stores too much.',
    },
    clientCall:
      "await platen.request('POST /v1/templates/{uid}/comments', { path: { uid: 'hello' }, body: { layer: 'title', text: 'Larger?' } })",
  },
  ({ comments, templates }: CommentParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const comment = { ...(await readBody()), keyId: holder.keyId };
      const added = await whenFree(() => comments.addComment(holder.uid, uid, comment));
      if (added === undefined) throw noTemplate();
      return jsonReply(201, added);
    },
);

const resolveComment = endpoint(
  {
    ...single,
    id: 'resolveComment',
    method: 'patch',
    summary: 'Resolve a comment',
    description: 'Resolves a comment, or opens it again.',
    scope: 'write',
    body: jsonBody('Whether it is resolved.', CommentChange, { resolved: true }),
    answers: {
      200: jsonAnswer('The comment.', Comment, { ...example, resolved_at: example.created_at }),
    },
    errors: { 400: 'The body is not valid.', 404: noSuchComment },
    clientCall: `await platen.request('PATCH /v1/templates/{uid}/comments/{id}', ${examplePath}, body: { resolved: true } })`,
  },
  ({ comments, templates }: CommentParts) =>
    async (exchange, { holder, readBody }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const [, id = ''] = exchange.parameters;
      const { resolved } = await readBody();
      const comment = await whenFree(() => comments.resolveComment(holder.uid, uid, id, resolved));
      if (comment === undefined) throw noComment();
      return jsonReply(200, comment);
    },
);

const deleteComment = endpoint(
  {
    ...single,
    id: 'deleteComment',
    method: 'delete',
    summary: 'Delete a comment',
    description: 'Deletes a comment for good.',
    scope: 'write',
    answers: { 204: { description: 'It is gone.' } },
    errors: { 404: noSuchComment },
    clientCall: `await platen.request('DELETE /v1/templates/{uid}/comments/{id}', ${examplePath} })`,
  },
  ({ comments, templates }: CommentParts) =>
    async (exchange, { holder }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const [, id = ''] = exchange.parameters;
      const isGone = await whenFree(() => comments.deleteComment(holder.uid, uid, id));
      if (!isGone) throw noComment();
      return emptyReply(204);
    },
);

export const commentEndpoints = [listComments, addComment, resolveComment, deleteComment];

function noComment(): AppError {
  return new AppError('NOT_FOUND', 'Comment not found', { reason: 'comment' });
}
