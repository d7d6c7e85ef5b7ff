/** The clock of a template as a TypeBox schema: its zone, what it counts down to, and what it shows afterwards. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { AtZero } from './access.ts';
import { closed } from './paint.ts';
import { durationPattern } from '../values/zoned-time.ts';

/** Maximum UTF-16 units of `until` and `per`: a binding with some formats. */
const textUnitsMax = 400;

export const Clock = Type.Object(
  {
    until: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: textUnitsMax,
        isBindable: true,
        description:
          'the deadline of the countdown: a date, a time that comes again (friday 18:00, daily 18:00), or {{name}}',
        absent: 'the end of evergreen',
      }),
    ),
    zone: Type.Optional(
      Type.String({
        maxLength: 64,
        expected: 'a text of at most 64 characters: an IANA time zone such as Europe/Berlin',
        description: 'IANA name of the zone of now, and of dates without one',
        default: 'UTC',
      }),
    ),
    evergreen: Type.Optional(
      Type.String({
        pattern: durationPattern,
        expected: 'a text such as 90m, 48h or 7d: at most 9999 minutes, 999 hours or 99 days',
        description: 'how long the countdown takes from the first open of each contact',
        absent: 'the deadline is the same for all',
      }),
    ),
    per: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: textUnitsMax,
        isBindable: true,
        description: 'what tells contacts apart, such as {{contact}}: for evergreen and share',
        absent: 'all are the same contact',
      }),
    ),
    atZero: Type.Optional(AtZero),
  },
  {
    ...closed,
    description: 'the time that the template shows, and what it counts down to',
    absent: 'now is in UTC, and there is no countdown',
  },
);

export type Clock = Static<typeof Clock>;
