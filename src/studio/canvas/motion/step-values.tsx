/** Edits the values of the shown frame, and chooses the variables that change from frame to frame. */
import type { TargetedEvent, VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Animation } from '#language/schema/animation.ts';
import type { Variable } from '#language/schema/template.ts';
import { Popover } from '../../dialog.tsx';
import { ColorField } from '../../panels/fields/color.tsx';
import { ImageField } from '../../panels/fields/image.tsx';
import { linkText } from '../../panels/variables/variables.ts';
import type { Editor } from '../../state/editor.ts';

export type Steps = Extract<Animation, { type: 'values' }>;
export type Step = Steps['frames'][number];
export type ChangeSteps = (
  label: string,
  recipe: (stored: Step[]) => void,
  gesture?: string,
) => void;

/** Maximum number of variables that change, as in the schema. */
const namesMax = 20;

interface StepValuesProps {
  editor: Editor;
  steps: Steps;
  /** Index of the shown frame. Undefined if no frame is shown. */
  at: number | undefined;
  change: ChangeSteps;
}

export function StepValues({ editor, steps: { frames }, at, change }: StepValuesProps): VNode {
  const names = [...new Set(frames.flatMap(({ values }) => Object.keys(values)))];
  const { variables } = editor.document.value;
  const write = (name: string, value: string): void =>
    change(
      'Change the value of a frame',
      (stored) => Object.assign(stored[at ?? 0]?.values ?? {}, { [name]: value }),
      `frame:${at}:${name}`,
    );
  const note =
    names.length === 0
      ? 'Choose what changes from frame to frame.'
      : 'Choose a frame to change its values.';
  return (
    <div class="timeline-values">
      {at === undefined || names.length === 0 ? (
        <span class="timeline-note">{note}</span>
      ) : (
        names.map((name) => (
          <StepValue
            key={name}
            editor={editor}
            name={name}
            type={variables.find((variable) => variable.name === name)?.type}
            value={frames[at]?.values[name]}
            write={(value) => write(name, value)}
          />
        ))
      )}
      <ChangeWhich editor={editor} names={names} change={change} />
    </div>
  );
}

interface StepValueProps {
  editor: Editor;
  name: string;
  type: Variable['type'] | undefined;
  value: string | undefined;
  write: (value: string) => void;
}

function StepValue({ editor, name, type, value = '', write }: StepValueProps): VNode {
  const id = useId();
  if (type === 'image') {
    return <ImageValue editor={editor} name={name} type={type} value={value} write={write} />;
  }
  if (type === 'color') {
    return (
      <span class="timeline-color">
        <label for={id}>{name}</label>
        <ColorField
          editor={editor}
          id={id}
          label={name}
          value={value}
          change={(color) => write(color ?? '')}
        />
      </span>
    );
  }
  return (
    <label for={id}>
      {name}
      <input
        id={id}
        type="text"
        maxlength={2000}
        value={value}
        onInput={(event) => write(event.currentTarget.value)}
      />
    </label>
  );
}

/** Button that opens a popover to choose an image. */
function ImageValue({ editor, name, value, write }: StepValueProps): VNode {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
      </button>
      {isOpen && anchor.current !== null && (
        <Popover anchor={anchor.current} label={name} close={() => setOpen(false)}>
          <div class="panel timeline-image">
            <ImageField
              editor={editor}
              id={id}
              label={name}
              value={value}
              placeholder=""
              isInvalid={false}
              change={write}
            />
          </div>
        </Popover>
      )}
    </>
  );
}

interface ChangeWhichProps {
  editor: Editor;
  names: readonly string[];
  change: ChangeSteps;
}

/** Adds a variable to all frames, with its default as value, or removes one from them. */
function ChangeWhich({ editor, names, change }: ChangeWhichProps): VNode {
  // A list or a table cell has no single value.
  const others = editor.document.value.variables.filter(
    ({ name, type, from }) => !names.includes(name) && type !== 'list' && from === undefined,
  );
  const take = (event: TargetedEvent<HTMLSelectElement>): void => {
    const [action, name = ''] = event.currentTarget.value.split(':');
    event.currentTarget.value = '';
    if (action === 'keep') {
      change('Let it stay', (stored) => {
        for (const { values } of stored) delete values[name];
      });
      return;
    }
    const variable = others.find((each) => each.name === name);
    if (variable === undefined) return;
    change('Let it change', (stored) => {
      for (const { values } of stored) values[name] = linkText(variable);
    });
    editor.previewFrame.value ??= 0;
  };
  return (
    <select
      class="timeline-add"
      aria-label="What changes from frame to frame"
      value=""
      disabled={others.length + names.length === 0}
      onChange={take}
    >
      <option value="" selected>
        {others.length + names.length === 0 ? 'Make a variable first' : 'What changes …'}
      </option>
      {names.length >= namesMax
        ? null
        : others.map(({ name }) => (
            <option key={name} value={`add:${name}`}>
              {`Change ${name}`}
            </option>
          ))}
      {names.map((name) => (
        <option key={name} value={`keep:${name}`}>
          {`Leave ${name} as it is`}
        </option>
      ))}
    </select>
  );
}
