/** Chooses the layer whose alpha cuts another. */
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { parentOf } from '../../state/layers.ts';
import { nameOf } from '../layers/names.ts';
import type { ControlProps } from './number.ts';
import type { FieldKind } from './schema-fields.ts';
import type { Target } from '../target.ts';

/** The other layers of the same list. */
export function MaskField({
  id,
  value,
  change,
  target,
  isMixed,
}: ControlProps<FieldKind> & { target: Target; isMixed: boolean }): VNode {
  const document = target.editor.document.value;
  const beside = parentOf(document, target.ids[0] ?? '')?.layers ?? [];
  const others = beside.filter((layer) => !target.ids.includes(layer.id));
  return html`<select
    id=${id}
    value=${value ?? ''}
    onChange=${(event: Event) => {
      const chosen = (event.currentTarget as HTMLSelectElement).value;
      change(chosen === '' ? undefined : chosen);
    }}
  >
    <option value="">${isMixed ? 'Mixed' : 'none'}</option>
    ${others.map(
      (layer) =>
        html`<option value=${layer.id} selected=${layer.id === value}>${nameOf(layer)}</option>`,
    )}
  </select>`;
}
