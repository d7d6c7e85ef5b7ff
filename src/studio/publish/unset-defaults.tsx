/** Asks what links show without a value, for defaults that are samples: a variable's name, or a person of a design. */
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { limitProblem } from '../panels/variables/taken-values.ts';
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
  const fields = useRef<HTMLFieldSetElement>(null);
  // A name in the image is an error. A person of the design can be meant.
  useEffect(() => {
    if (isUrgent) fields.current?.querySelector('input')?.focus();
  }, []);
  if (names.size === 0) return null;
  return (
    <fieldset class="unset-defaults" ref={fields}>
      <legend>Shown if a link has no value</legend>
      {variables.map((variable) =>
        names.has(variable.name) ? (
          <DefaultField key={variable.name} editor={editor} variable={variable} />
        ) : null,
      )}
    </fieldset>
  );
}

/** Time without a letter after which the draft gets the typed default, and shows it, in ms. */
const pauseMs = 250;

/** Enter, and Mod+Enter as elsewhere, changes the default and then submits the form. */
function DefaultField({ editor, variable }: { editor: Editor; variable: Variable }): VNode {
  const { name } = variable;
  const id = useId();
  const [text, setText] = useState(linkText(variable));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (typed: string): void => {
    clearTimeout(timer.current);
    const isNew = typed !== linkText(variable);
    if (isNew && limitProblem(variable, typed) === undefined)
      changeDefault(editor, name, typed, `default:${name}`);
  };
  const problem = limitProblem(variable, text);
  const field = useRef<HTMLInputElement>(null);
  // The form is not submitted, by a key or a press, while a field has a problem.
  useLayoutEffect(() => field.current?.setCustomValidity(problem ?? ''), [problem]);
  const isNoted = problem !== undefined || text === name;
  return (
    <>
      <label class="field">
        {name}
        <input
          ref={field}
          dir="auto"
          aria-describedby={isNoted ? id : undefined}
          aria-invalid={problem !== undefined}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => write(value), pauseMs);
          }}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            write(event.currentTarget.value);
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      {isNoted && (
        <p id={id} class={problem === undefined ? 'soft' : 'problem'}>
          {problem ?? `Readers without a value see “${name}”.`}
        </p>
      )}
    </>
  );
}
