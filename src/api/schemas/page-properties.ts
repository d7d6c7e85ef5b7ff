/** What the body of every paged list says of its page. */
import { Type } from 'typebox';

/** `limit` and `offset` as they were applied: a client that steps by its own larger limit would skip entries. */
export const pageProperties = {
  limit: Type.Integer({ minimum: 1, maximum: 100, description: 'entries of a page, as applied' }),
  offset: Type.Integer({ minimum: 0, description: 'entries before this page' }),
};
