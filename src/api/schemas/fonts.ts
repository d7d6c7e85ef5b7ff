/** Bodies of the endpoints of fonts; a font is uploaded as the file itself. */
import { Type } from 'typebox';

const Scripts = Type.Array(
  Type.Object({
    script: Type.String(),
    sample: Type.String({ description: 'some of its letters' }),
  }),
  { description: 'scripts of which the font has the letters of everyday text' },
);

const Axes = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'of a variable font, by their tags: {"wght": {"min", "max", "initial"}}',
  },
);

/** One file of an organization's own. */
export const FontResponse = Type.Object({
  id: Type.String({ pattern: '^font:[0-9a-f]{64}$' }),
  family: Type.String({ description: 'as templates of the organization name it' }),
  fullName: Type.String({ description: 'the name in the font' }),
  weight: Type.Integer({ minimum: 1, maximum: 1000 }),
  italic: Type.Boolean(),
  axes: Axes,
  scripts: Scripts,
  glyphs: Type.Integer(),
  embedding: Type.Enum(['installable', 'editable', 'preview-and-print', 'restricted'], {
    description:
      'what its maker allows documents to do with it (OS/2 fsType); nothing is refused for it',
  }),
  license: Type.String(),
  licenseUrl: Type.String(),
  bytes: Type.Integer({ minimum: 1, description: 'as stored, uncompressed' }),
  created_at: Type.String({ format: 'date-time' }),
});

/** `GET /v1/fonts` */
export const FontListResponse = Type.Object({
  families: Type.Array(
    Type.Object({
      family: Type.String(),
      source: Type.Enum(['bundled', 'own'], { description: 'own: only this organization has it' }),
      weights: Type.Array(Type.Integer(), { description: 'rising' }),
      styles: Type.Array(Type.Object({ weight: Type.Integer(), italic: Type.Boolean() })),
      axes: Axes,
      scripts: Scripts,
      fonts: Type.Optional(
        Type.Array(FontResponse, { description: 'the files of a family of the organization' }),
      ),
    }),
  ),
});
