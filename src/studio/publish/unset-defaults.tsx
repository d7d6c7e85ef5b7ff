/** Asks what links show without a value, for variables whose default is still their name. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { isTaken } from '../panels/variables/taken-values.ts';
import { changeDefault } from '../panels/variables/variable-default.ts';
import { linkText, usesOf } from '../panels/variables/variables.ts';

/** Fields at most. The variables panel has all defaults. */
const fieldsMax = 4;

/** A field for the default of each such variable. The fields stay when they are filled in. */
export function UnsetDefaults({ editor }: { editor: Editor }): VNode | null {
  const { variables } = editor.whole.value;
  const [names] = useState(() => {
    const unset = variables.filter(
      ({ type, name, value }) =>
        type === 'text' && value === name && usesOf(editor.whole.value, name).length > 0,
    );
    return new Set(unset.slice(0, fieldsMax).map(({ name }) => name));
  });
  const write = (variable: Variable, typed: string): void => {
    if (isTaken(variable, typed)) changeDefault(editor, variable.name, typed);
  };
  const fields = useRef<HTMLFieldSetElement>(null);
  // What to do first in the dialog.
  useEffect(() => fields.current?.querySelector('input')?.focus(), []);
  if (names.size === 0) return null;
  return (
    <fieldset class="unset-defaults" ref={fields}>
      <legend>Shown if a link has no value</legend>
      {variables.map((variable) => {
        const { name } = variable;
        return names.has(name) ? (
          <label class="field" key={name}>
            {name}
            <input
              dir="auto"
              value={linkText(variable)}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => write(variable, event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // It would publish.
                event.preventDefault();
                write(variable, event.currentTarget.value);
              }}
            />
          </label>
        ) : null;
      })}
    </fieldset>
  );
}
