/** The access to the links of a template as TypeBox schemas. It belongs to the template, not to a version. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { choice, closed } from './paint.ts';
import { uidSchemaPattern } from '../uid.ts';

/** Options of links that a template may forbid. */
export const linkOptionNames = ['format', 'scale', 'quality', 'lang', 'size', 'frames'] as const;

export const LinkAuth = choice(['open', 'signed', 'key'], 'open', {
  role: 'access',
  description: 'what a link must carry',
});

export const LinkOptions = Type.Array(choice([...linkOptionNames]), {
  maxItems: linkOptionNames.length,
  role: 'access',
  content: 'options',
  description:
    'those that a link may use, format for _format and the extension, frames for _frames and _animated; another one answers 400',
  default: [...linkOptionNames],
});

export const AtZero = Type.Union(
  [
    choice(['stay'], 'stay'),
    Type.Object(
      {
        template: Type.String({
          pattern: uidSchemaPattern,
          expected: 'a text: the uid of a template of the same organization',
        }),
      },
      { ...closed, description: 'the uid of the published template that a link draws then' },
    ),
  ],
  {
    role: 'access',
    expected: 'the text stay, or an object with "template", the uid of another one',
    description: 'what a link draws once the countdown is over',
    default: 'stay',
  },
);

export type LinkAuth = Static<typeof LinkAuth>;
export type LinkOption = (typeof linkOptionNames)[number];

/** Who may open the links of a template, what links may choose, and where they lead after a countdown. */
export interface Access {
  linkAuth: LinkAuth;
  /** In the order of `linkOptionNames`, without duplicates. */
  linkOptions: LinkOption[];
  atZero: Static<typeof AtZero>;
}
