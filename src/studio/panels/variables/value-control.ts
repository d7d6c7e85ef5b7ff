/** The control for a value of a variable, by the variable's type. */
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { VariableType } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { ColorField } from '../fields/color.ts';
import { ImageField } from '../fields/image.ts';

/** What a control of a value needs. */
export interface ValueControl {
  editor: Editor;
  id: string;
  label: string;
  type: VariableType;
  value: unknown;
  placeholder: string;
  change: (value: string) => void;
}

/** The control for values of a type; an emptied one changes to an empty text. */
export function valueControl(control: ValueControl): VNode {
  const { editor, id, label, type, value, placeholder, change } = control;
  switch (type) {
    case 'color':
      return html`<${ColorField}
        editor=${editor}
        id=${id}
        label=${label}
        value=${value}
        placeholder=${placeholder}
        change=${(color: string | undefined) => change(color ?? '')}
      />`;
    case 'image':
      return html`<${ImageField}
        editor=${editor}
        id=${id}
        label=${label}
        value=${value}
        placeholder=${placeholder}
        isInvalid=${false}
        change=${change}
      />`;
    case 'boolean':
      return html`<input
        id=${id}
        class="p-switch"
        type="checkbox"
        role="switch"
        checked=${value === true || value === 'true'}
        onChange=${(event: Event) => change(String((event.currentTarget as HTMLInputElement).checked))}
      />`;
    default:
      return html`<textarea
        id=${id}
        rows=${Math.min(6, Math.max(1, String(value).split('\n').length))}
        value=${String(value)}
        placeholder=${placeholder}
        onInput=${(event: Event) => change((event.currentTarget as HTMLTextAreaElement).value)}
      />`;
  }
}
