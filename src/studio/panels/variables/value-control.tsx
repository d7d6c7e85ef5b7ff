/** The control for a value of a variable, by the variable's type. */
import type { VNode } from 'preact';
import type { VariableType } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { ColorField } from '../fields/color.tsx';
import { ImageField } from '../fields/image.tsx';

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
      return (
        <ColorField
          editor={editor}
          id={id}
          label={label}
          value={value}
          placeholder={placeholder}
          change={(color: string | undefined) => change(color ?? '')}
        />
      );
    case 'image':
      return (
        <ImageField
          editor={editor}
          id={id}
          label={label}
          value={value}
          placeholder={placeholder}
          isInvalid={false}
          change={change}
        />
      );
    case 'boolean':
      return (
        <input
          id={id}
          class="p-switch"
          type="checkbox"
          role="switch"
          checked={value === true || value === 'true'}
          onChange={(event) => change(String(event.currentTarget.checked))}
        />
      );
    default:
      return (
        <textarea
          id={id}
          rows={Math.min(6, Math.max(1, String(value).split('\n').length))}
          value={String(value)}
          placeholder={placeholder}
          onInput={(event) => change(event.currentTarget.value)}
        />
      );
  }
}
