/** Controls of an animation: its type with the fields of the type, the layer of a track, and numbers or colours. */
import type { TargetedEvent, VNode } from 'preact';
import { animationOf } from '#language/animation/frames.ts';
import type { Template } from '#language/schema/template.ts';
import { behindFrame } from '../behind-frame.ts';
import { flattenLayers, nameOf } from '../../state/layers.ts';
import { wordOf } from '../fields/labels.ts';
import type { ControlProps } from '../fields/number.tsx';
import { newTrack } from '../fields/values.ts';
import type { FieldKind, VariantKind } from '../fields/schema-fields.ts';
import type { StructuredProps } from '../fields/structured.tsx';
import type { Target } from '../target.ts';
import { linkText } from '../variables/variables.ts';

/** Initial properties by type, so that a new animation moves. */
const beginnings: Readonly<Record<string, (document: Template) => object>> = {
  values: ({ variables }) => {
    const variable = variables.find(({ type, from }) => type !== 'list' && from === undefined);
    const values = variable === undefined ? {} : { [variable.name]: linkText(variable) };
    return { frames: [1, 1].map((seconds) => ({ values, seconds })) };
  },
  motion: (document) => ({ seconds: 2, tracks: [newTrack(document)] }),
};

/** Edits an object of one of several types. A newly chosen type gets its initial properties. */
export function VariantField(props: StructuredProps & { kind: VariantKind }): VNode {
  const { target, field, path, id, kind, change, row } = props;
  const word = target.read([...path, 'type']);
  const chosen = kind.variants.find((variant) => variant.word === word);
  const document = behindFrame(target.editor).document.value;
  const isImplied = document.animation === undefined && animationOf(document) !== undefined;
  const choose = (event: TargetedEvent<HTMLSelectElement>): void => {
    const type = event.currentTarget.value;
    const begin = beginnings[type]?.(document);
    change(type === '' ? undefined : { type, ...begin });
  };
  return (
    <>
      <div class="p-row p-fixed">
        <label for={id} title={field.hint}>
          Type
        </label>
        <div class="p-control">
          <select id={id} value={chosen?.word ?? ''} onChange={choose}>
            <option value="">{isImplied ? 'Counts down with the clock' : 'None'}</option>
            {kind.variants.map((variant) => (
              <option value={variant.word} selected={variant === chosen} title={variant.hint}>
                {wordOf('animation', variant.word)}
              </option>
            ))}
          </select>
        </div>
      </div>
      {chosen === undefined ? null : <p class="p-note">{chosen.hint}</p>}
      {chosen?.fields.map((each) => row(each, [...path, each.name]))}
    </>
  );
}

type FieldProps = Omit<ControlProps<FieldKind>, 'kind'>;

/** Selects one of all layers of the document. */
export function LayerField({ id, value, change, target }: FieldProps & { target: Target }): VNode {
  const layers = flattenLayers(behindFrame(target.editor).document.value);
  const isKnown = layers.some(({ layer }) => layer.id === value);
  return (
    <select
      id={id}
      value={isKnown ? String(value) : ''}
      onChange={(event) => change(event.currentTarget.value)}
    >
      {isKnown ? null : <option value="">choose</option>}
      {layers.map(({ layer }) => (
        <option key={layer.id} value={layer.id} selected={layer.id === value}>
          {nameOf(layer)}
        </option>
      ))}
    </select>
  );
}

/** A number, or a colour as text. */
export function AmountField({ id, value, placeholder, change, isInvalid }: FieldProps): VNode {
  const write = (event: TargetedEvent<HTMLInputElement>): void => {
    const text = event.currentTarget.value.trim();
    const number = Number(text.replace(',', '.'));
    if (text === '') change(undefined);
    else change(Number.isFinite(number) ? number : text);
  };
  return (
    <input
      id={id}
      type="text"
      value={typeof value === 'string' || typeof value === 'number' ? value : ''}
      placeholder={placeholder}
      aria-invalid={isInvalid}
      onChange={write}
    />
  );
}
