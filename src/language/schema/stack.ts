/** The stack layer as a TypeBox schema: layers in a row or column, as in a CSS flexbox or Figma's auto layout. */
import { Type } from 'typebox';
import { flag, layerEffects, layerFrame, size } from './layer-base.ts';
import { inSection } from './notes.ts';
import { itemsMaxDefault, templateLimits } from '../limits/template-limits.ts';
import { choice, closed, Fill, fourNumbers, withDefault } from './paint.ts';

const stackPadding = Type.Union([
  size({ description: 'on all sides' }),
  fourNumbers([size(), size(), size(), size()], {
    content: 'numbers',
    description: '[top, right, bottom, left]',
  }),
]);

const Repeat = Type.Object(
  {
    list: Type.String({
      minLength: 1,
      maxLength: 128,
      isBindable: false,
      description: 'a list variable of the template',
    }),
    max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: templateLimits.listItemsMax,
        description: 'items that are drawn at most',
        default: itemsMaxDefault,
      }),
    ),
    more: Type.Optional(
      Type.String({
        maxLength: 64,
        isBindable: false,
        description:
          'the id of a layer of the stack that follows the items once if the list has more; {{item.more}} is how many',
      }),
    ),
  },
  { ...closed, role: 'repeat', description: 'draws the layers once for each item of a list' },
);

/** A stack without its children, which are checked separately for precise paths. */
export const StackLayer = Type.Object(
  {
    type: Type.Literal('stack', {
      description: 'layers one after another, in a row or a column, like a CSS flexbox',
    }),
    ...layerFrame,
    ...inSection('stack', {
      direction: Type.Optional(choice(['row', 'column'], 'column')),
      gap: Type.Optional(withDefault(size({ description: 'between two layers' }), 0)),
      padding: Type.Optional(withDefault(stackPadding, 0)),
      align: Type.Optional(
        choice(['start', 'center', 'end', 'stretch'], 'start', {
          description: 'across the direction',
        }),
      ),
      justify: Type.Optional(
        choice(['start', 'center', 'end', 'between'], 'start', {
          description: 'along the direction',
        }),
      ),
      wrap: Type.Optional(flag('a row goes on below when it is full')),
      shrink: Type.Optional(
        choice(['each', 'together'], 'each', {
          description: 'how texts that shrink become smaller: each as needed, or all by one factor',
        }),
      ),
    }),
    ...inSection('stack', { repeat: Type.Optional(Repeat) }),
    layers: Type.Array(Type.Object({ type: Type.String() }), { maxItems: 500, content: 'layers' }),
    ...inSection('fill', { fill: Type.Optional(Fill) }),
    ...layerEffects,
  },
  closed,
);
