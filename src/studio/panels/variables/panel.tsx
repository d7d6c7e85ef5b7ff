/** The variables of a template, with their defaults, limits, sample values and uses. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { icon } from '../../icons.tsx';
import { nameOf } from '../../state/layers.ts';
import { toolButton } from '../fields/structured.tsx';
import type { Path } from '../fields/values.ts';
import { VariableFields } from './fields.tsx';
import { addVariable, keyedBy, removeVariable, usesOf } from './variables.ts';

/** The panel: a line for each variable, which opens to its settings. */
export function VariablesPanel({ editor }: { editor: Editor }): VNode {
  const { variables } = behindFrame(editor).document.value;
  const [open, setOpen] = useState<number | undefined>(undefined);
  const add = (): void => {
    editor.change('Add variable', (draft) => void addVariable(draft, 'value', 'text', 'Text'));
    setOpen(variables.length);
  };
  return (
    <section class="panel p-variables" aria-label="Variables">
      <header class="p-panel-head">
        <h2>{variables.length === 1 ? '1 variable' : `${variables.length} variables`}</h2>
        <span class="p-panel-tools">
          <button type="button" class="p-add" aria-label="Add a variable" onClick={add}>
            {icon('plus')} Add
          </button>
        </span>
      </header>
      {variables.length === 0 ? (
        <p class="p-note p-empty">
          What a link may change. Press {icon('variable')} beside any property to make it dynamic.
        </p>
      ) : (
        <p class="p-note p-about-samples">
          Values here are for your preview. A link without a value shows the default.
        </p>
      )}
      {variables.map((variable, index) => (
        <VariableView
          key={index}
          editor={editor}
          variable={variable}
          index={index}
          isOpen={open === index}
          toggle={() => setOpen(open === index ? undefined : index)}
          close={() => setOpen(undefined)}
        />
      ))}
    </section>
  );
}

interface VariableViewProps {
  editor: Editor;
  variable: Variable;
  index: number;
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
}

/** Icons by type of variable. */
const typeIcons: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'image',
  color: 'dropper',
  number: 'progress',
  boolean: 'eye',
  date: 'clock',
  list: 'list',
};

/** Names of document properties after "Used in". */
const documentParts: Readonly<Record<string, string>> = {
  alt: 'the alternative text',
  clock: 'the clock',
};

function partOf([name]: Path): string {
  return documentParts[String(name)] ?? 'the background';
}

function VariableView(props: VariableViewProps): VNode {
  const { editor, variable, index, isOpen, toggle, close } = props;
  const { name, type } = variable;
  const document = behindFrame(editor).document.value;
  const uses = usesOf(document, name);
  const isKey = keyedBy(document, name).length > 0;
  const remove = (): void => {
    editor.changeWhole('Delete variable', (draft) => removeVariable(draft, name));
    const { [name]: _, ...rest } = editor.values.value;
    editor.values.value = rest;
    close();
  };
  return (
    <div class={`p-variable ${isOpen ? 'p-open' : ''}`} data-variable={name}>
      <div class="p-variable-head">
        <button type="button" class="p-variable-name" aria-expanded={isOpen} onClick={toggle}>
          <span class="p-kind">{icon(typeIcons[type] ?? 'text')}</span>
          <span class="p-layer-name" dir="auto" title={name}>
            {name}
          </span>
          {uses.length === 0 && !isKey ? <span class="p-note">unused</span> : null}
          <span class={`p-twist ${isOpen ? 'p-twisted' : ''}`}>{icon('open')}</span>
        </button>
        {toolButton('trash', `Delete ${name}: what uses it gets its default`, remove)}
      </div>
      <VariableFields editor={editor} variable={variable} index={index} isOpen={isOpen} />
      {isOpen ? (
        <div class="p-uses">
          <span class="p-note">
            {uses.length > 0 ? 'Used in' : isKey ? 'The key of a data table.' : 'Used nowhere yet.'}
          </span>
          {[...new Map(uses.map((use) => [use.id ?? use.path[0], use])).values()].map((use) => (
            <button
              type="button"
              class="p-link"
              onClick={() => {
                editor.selection.value = use.id === undefined ? [] : [use.id];
              }}
            >
              {use.layer === undefined ? partOf(use.path) : nameOf(use.layer)}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
