/** The stack as a TypeBox schema: layers one after another, as in a flexbox of CSS or the auto layout of Figma. */
import { Type } from 'typebox';
import { flag, layerEffects, layerFrame, size } from './layer-base.ts';
import { inSection } from './notes.ts';
import { choice, closed, Fill, fourNumbers, withDefault } from './paint.ts';

const stackPadding = Type.Union([
  size({ description: 'on all sides' }),
  fourNumbers([size(), size(), size(), size()], {
    content: 'numbers',
    description: '[top, right, bottom, left]',
  }),
]);

/** A stack without its children, which are checked one by one for clear paths. */
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
    layers: Type.Array(Type.Object({ type: Type.String() }), { maxItems: 500, content: 'layers' }),
    ...inSection('fill', { fill: Type.Optional(Fill) }),
    ...layerEffects,
  },
  closed,
);
