/** The image layer as a TypeBox schema. */
import { Type } from 'typebox';
import { flag, layerEffects, layerFrame } from './layer-base.ts';
import { inSection } from './notes.ts';
import { choice, closed, Color, ImageSource } from './paint.ts';

const share = (description: string, standard: number): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: 1, description, default: standard });

/** The drawn region of an image, as shares of its width and height. */
export const Crop = Type.Object(
  {
    x: Type.Optional(share('left edge', 0)),
    y: Type.Optional(share('top edge', 0)),
    width: Type.Optional(share('of the width', 1)),
    height: Type.Optional(share('of the height', 1)),
  },
  { ...closed, description: 'the region of the image that is drawn' },
);

export const ImageLayer = Type.Object(
  {
    type: Type.Literal('image', { description: 'an image' }),
    ...layerFrame,
    ...inSection('image', {
      src: ImageSource,
      fit: Type.Optional(choice(['cover', 'contain', 'fill', 'none', 'scale-down'], 'cover')),
      focusX: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'part of the image that stays in sight, or where a smaller one lies, 0 left … 1 right',
          default: 0.5,
        }),
      ),
      focusY: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'part of the image that stays in sight, or where a smaller one lies, 0 top … 1 bottom',
          default: 0.5,
        }),
      ),
      smartCrop: Type.Optional(flag('cover only, without crop and zoom: keeps what draws the eye')),
      crop: Type.Optional(Crop),
      zoom: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 20,
          unit: '×',
          description: 'enlarges about the focus',
          default: 1,
        }),
      ),
      flipX: Type.Optional(flag('mirrors left and right')),
      flipY: Type.Optional(flag('mirrors top and bottom')),
      tint: Type.Optional(Color),
      duotone: Type.Optional(
        Type.Object(
          { dark: Color, light: Color },
          { ...closed, description: 'the colours that black and white become' },
        ),
      ),
    }),
    ...layerEffects,
  },
  closed,
);
