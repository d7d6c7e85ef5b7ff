/** The TypeBox schema of a template's animation, for GIF, animated WebP and animated PNG. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { templateLimits } from '../limits/template-limits.ts';
import { choice, closed } from './paint.ts';

/** Maximum duration of a frame and of a motion. */
const seconds = { maximum: 60, unit: 's' } as const;

const plays = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'how often it plays; 0 plays without end',
    absent: '1 for a countdown, else 0',
  }),
);

const Countdown = Type.Object(
  {
    type: Type.Literal('countdown', { description: 'one frame for each second of the clock' }),
    frames: Type.Optional(
      Type.Integer({ minimum: 1, maximum: templateLimits.framesMax, default: 60 }),
    ),
    plays,
  },
  closed,
);

const ValueFrame = Type.Object(
  {
    values: Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
      maxProperties: 20,
      content: 'values by variable',
      description: 'in place of those of the link',
    }),
    seconds: Type.Number({ minimum: 0.02, ...seconds }),
  },
  closed,
);

const Values = Type.Object(
  {
    type: Type.Literal('values', { description: 'the image with other values, one after another' }),
    frames: Type.Array(ValueFrame, {
      minItems: 1,
      maxItems: templateLimits.framesMax,
      content: 'frames',
    }),
    plays,
  },
  closed,
);

/** Properties that a track can change. */
export const trackProperties = ['x', 'y', 'opacity', 'rotation', 'scale', 'fill', 'typed'] as const;
export const easings = ['linear', 'ease-in', 'ease-out', 'ease-in-out'] as const;

const trackValue = (description: string): ReturnType<typeof Type.Union> =>
  Type.Union(
    [
      Type.Number({ minimum: -16_384, maximum: 16_384 }),
      Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' }),
    ],
    {
      expected: 'a number from -16384 to 16384, for fill a colour (#rrggbb)',
      description,
      role: 'amount',
      absent: 'as designed',
    },
  );

const Track = Type.Object(
  {
    layer: Type.String({ maxLength: 64, role: 'layer', description: 'the id of a layer' }),
    property: choice([...trackProperties], undefined, {
      description:
        'what changes: a property of the layer, its scale about its centre, or the typed share of its text (0 to 1)',
    }),
    from: Type.Optional(trackValue('at the start')),
    to: Type.Optional(trackValue('at the end')),
    start: Type.Optional(Type.Number({ minimum: 0, ...seconds, default: 0 })),
    end: Type.Optional(Type.Number({ minimum: 0, ...seconds, absent: 'the end of the motion' })),
    easing: Type.Optional(choice([...easings], 'ease-in-out')),
  },
  closed,
);

const Motion = Type.Object(
  {
    type: Type.Literal('motion', { description: 'properties of layers that change over time' }),
    seconds: Type.Number({ minimum: 0.1, ...seconds }),
    framesPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 15, default: 10 })),
    tracks: Type.Array(Track, { minItems: 1, maxItems: 32, content: 'tracks' }),
    plays,
  },
  closed,
);

export const Animation = Type.Union([Countdown, Values, Motion], {
  expected: 'an animation (an object) with the type countdown, values or motion',
  role: 'variant',
  description: 'what animated files show; other files show the image as designed',
});

export type Animation = Static<typeof Animation>;
export type MotionTrack = Omit<Static<typeof Track>, 'from' | 'to'> & {
  from?: number | string;
  to?: number | string;
};
