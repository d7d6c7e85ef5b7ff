/** The two error bodies of the specification. */
import { Type } from 'typebox';
import { errorTable } from '../../foundation/errors.ts';
import type { ErrorCode } from '../../foundation/errors.ts';

/** Of render links and of addresses that do not exist. */
export const RenderError = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(errorTable) as ErrorCode[], {
        description: 'what went wrong, for programs',
      }),
      message: Type.String({ description: 'what went wrong and what to do, for people' }),
      requestId: Type.String({
        pattern: '^req_[0-9A-Za-z]+$',
        description: 'to be named in questions about this answer',
      }),
    }),
  },
  { description: 'The error of a render link.' },
);

/** Of the organization's endpoints. */
export const OrganizationError = Type.Object(
  {
    error: Type.String({ description: 'what went wrong and what to do' }),
    details: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        maxItems: 20,
        description: 'each problem of a body: where it is, and what was expected',
      }),
    ),
  },
  { description: 'The error of an endpoint that needs a key.' },
);
