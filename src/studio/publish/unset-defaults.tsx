/** Asks what links show without a value, for defaults that are samples: a variable's name, or a person of a design. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { isTaken } from '../panels/variables/taken-values.ts';
import { changeDefault } from '../panels/variables/variable-default.ts';
import { linkText, usesOf } from '../panels/variables/variables.ts';
import { isPersonName } from '../samples/likely-values.ts';

/** Fields at most. The variables panel has all defaults. */
const fieldsMax = 4;

/** Whether the default of a text is still the name of its variable. */
function isUnset({ type, name, value }: Variable): boolean {
  return type === 'text' && value === name;
}

/** A field for the default of each such variable. The fields stay when they are filled in. */
export function UnsetDefaults({ editor }: { editor: Editor }): VNode | null {
  const { variables } = editor.whole.value;
  const [asked] = useState(() => {
    const isFirst = editor.publishedVersion.value === null;
    const samples = variables.filter(
      (variable) =>
        (isUnset(variable) || (isFirst && isPersonName(variable))) &&
        usesOf(editor.whole.value, variable.name).length > 0,
    );
    return {
      names: new Set(samples.slice(0, fieldsMax).map(({ name }) => name)),
      isUrgent: samples.some(isUnset),
    };
  });
  const { names, isUrgent } = asked;
  const write = (variable: Variable, typed: string): void => {
    if (isTaken(variable, typed)) changeDefault(editor, variable.name, typed);
  };
  const fields = useRef<HTMLFieldSetElement>(null);
  // A name in the image is an error. A person of the design can be meant.
  useEffect(() => {
    if (isUrgent) fields.current?.querySelector('input')?.focus();
  }, []);
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
              // Enter changes the default, and then submits the form.
              onChange={(event) => write(variable, event.currentTarget.value)}
            />
          </label>
        ) : null;
      })}
    </fieldset>
  );
}
