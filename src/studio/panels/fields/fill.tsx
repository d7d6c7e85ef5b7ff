/** What fills a shape or letters: a colour, a gradient, a picture, or nothing. */
import type { VNode } from 'preact';
import { ColorField } from './color.tsx';
import { cssPaint, isColor } from './color-math.ts';
import { GradientField } from './gradient.tsx';
import type { GradientValue } from './gradient.tsx';
import type { FieldKind, GradientKind, Field } from './schema-fields.ts';
import type { StructuredProps } from './structured.tsx';
import { mixed } from '../target.ts';

type Kind = Extract<FieldKind, { type: 'fill' }>;

/** What a fill is now. */
function modeOf(value: unknown, { hasNone }: Kind): string {
  if (value === mixed) return 'mixed';
  if (value === undefined || value === 'none') return hasNone || value === undefined ? 'none' : '';
  if (typeof value !== 'object' || value === null) return 'solid';
  if ('image' in value) return 'image';
  return String((value as GradientValue).gradient);
}

const modeNames: Readonly<Record<string, string>> = { image: 'picture' };

/** The field: buttons for the kinds of fill, and what the chosen one needs. */
export function FillField(props: StructuredProps & { kind: Kind }): VNode {
  const { target, field, path, id, kind, change, row } = props;
  const read = target.read(path);
  const value = read === undefined && isColor(field.standard) ? field.standard : read;
  const mode = modeOf(value, kind);
  const canBeNone = kind.hasNone || (!field.isRequired && field.standard === undefined);
  const words = [
    ...(canBeNone ? ['none'] : []),
    'solid',
    ...kind.gradients.map(({ word }) => word),
    ...(kind.hasPicture ? ['image'] : []),
  ];
  const choose = (word: string): void => {
    if (word !== mode) change(fillOf(word, value));
  };
  const gradient = kind.gradients.find(({ word }) => word === mode);
  return (
    <div class="p-fill">
      <div class="p-segments" role="radiogroup" aria-label={`${field.label}: kind`}>
        {words.map((word) => (
          <label class="p-segment" title={modeNames[word] ?? word}>
            <input
              type="radio"
              id={word === words[0] ? id : undefined}
              name={`${id}-kind`}
              aria-label={modeNames[word] ?? word}
              checked={word === mode}
              onChange={() => choose(word)}
            />
            <span>
              <i class={`p-fill-${word}`} />
            </span>
          </label>
        ))}
      </div>
      {mode === 'mixed' ? (
        <p class="p-note">The layers differ: a choice is for all of them.</p>
      ) : null}
      {mode === 'solid' ? (
        <ColorField
          editor={target.editor}
          id={`${id}-color`}
          label={field.label}
          value={value}
          isInvalid={target.problem(path) !== undefined}
          change={change}
        />
      ) : null}
      {gradient === undefined ? null : gradientOf(props, gradient, value as GradientValue)}
      {mode === 'image' ? row(pictureField, [...path, 'image']) : null}
      {mode === 'image' ? row(fitField, [...path, 'fit']) : null}
    </div>
  );
}

function gradientOf(
  { path, change, row, field }: StructuredProps,
  kind: GradientKind,
  value: GradientValue,
): VNode {
  return (
    <>
      <GradientField path={path} label={field.label} value={value} change={change} row={row} />
      {kind.fields.map((each) => row(each, [...path, each.name]))}
    </>
  );
}

const pictureField: Field = {
  name: 'image',
  label: 'Picture',
  hint: 'asset:<id>, an http(s) address, a data: URL or {{variable}}',
  kind: { type: 'image' },
  isBindable: true,
  isRequired: true,
  standard: undefined,
};

const fitField: Field = {
  name: 'fit',
  label: 'Fit',
  hint: 'cover, contain or fill',
  kind: { type: 'choice', words: ['cover', 'contain', 'fill'] },
  isBindable: true,
  isRequired: false,
  standard: 'cover',
};

/** A fill of another kind that keeps what it can of the one before. */
function fillOf(word: string, before: unknown): unknown {
  if (word === 'none') return before === 'none' ? 'none' : undefined;
  const { stops } = (typeof before === 'object' && before !== null ? before : {}) as GradientValue;
  const first = stops?.map(({ color }) => color).find(isColor);
  const color = isColor(before) ? before : (first ?? '#e2603a');
  if (word === 'solid') return color;
  if (word === 'image') return { image: '' };
  return {
    gradient: word,
    stops: stops ?? [
      { offset: 0, color },
      { offset: 1, color: cssPaint(color) === '#ffffff' ? '#22303c' : '#ffffff' },
    ],
  };
}
