/** The bar above the editor: the template's name, undo, how the draft is saved, zoom, samples, help, publish. */
import type { VNode } from 'preact';
import { IconButton } from './icon-button.tsx';
import { galleryHash } from './route.ts';
import type { Editor, SaveState } from './state/editor.ts';

export interface TopBarProps {
  editor: Editor;
  openHelp: () => void;
  openPublish: () => void;
}

/** The bar. */
export function TopBar({ editor, openHelp, openPublish }: TopBarProps): VNode {
  const { canUndo, canRedo, undoLabel, redoLabel, publishedVersion } = editor;
  const version = publishedVersion.value;
  return (
    <header class="top-bar">
      <h1 class="quiet">{editor.document.value.name}</h1>
      <a class="home" href={galleryHash} aria-label="All templates" title="All templates">
        <img src="pages/mark.svg" alt="" width="24" height="24" />
      </a>
      <NameField editor={editor} />
      <SaveNote editor={editor} />
      <div class="bar-group" role="group" aria-label="History">
        <IconButton
          name={label('Undo', undoLabel.value)}
          path={undoPath}
          isOff={!canUndo.value}
          run={() => editor.undo()}
        />
        <IconButton
          name={label('Redo', redoLabel.value)}
          path={redoPath}
          isOff={!canRedo.value}
          run={() => editor.redo()}
        />
      </div>
      <span class="bar-space" />
      <ValuesNote editor={editor} />
      <IconButton name="Keyboard shortcuts" path={helpPath} run={openHelp} />
      <span class="version" title="What links show now">
        {version === null ? 'Not published' : `Version ${version}`}
      </span>
      <button type="button" class="primary" onClick={openPublish}>
        Publish
      </button>
    </header>
  );
}

/** Renames the template, one step for each time that the field has the focus. */
function NameField({ editor }: { editor: Editor }): VNode {
  const { name } = editor.document.value;
  const onChange = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const typed = field.value.trim();
    if (typed === '') field.value = name;
    else {
      editor.change('Rename the template', (draft) => {
        draft.name = typed;
      });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const field = event.target as HTMLInputElement;
    if (event.key === 'Escape') field.value = name;
    if (event.key === 'Escape' || event.key === 'Enter') field.blur();
  };
  return (
    <input
      class="name-field"
      aria-label="Name of the template"
      maxlength={200}
      value={name}
      onChange={onChange}
      onKeyDown={onKeyDown}
    />
  );
}

/** Says that other values than the defaults are shown, and takes them away. */
function ValuesNote({ editor }: { editor: Editor }): VNode | null {
  const names = new Set(editor.document.value.variables.map(({ name }) => name));
  const count = Object.keys(editor.values.value).filter((name) => names.has(name)).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="quiet-button values-note"
      title="Shows the defaults again"
      onClick={() => {
        editor.values.value = {};
      }}
    >
      {count === 1 ? '1 sample value' : `${count} sample values`}
      <span class="soft">Clear</span>
    </button>
  );
}

/** What the note says, and its further words for a pointer that rests on it. */
const notes: Readonly<Record<SaveState, readonly [text: string, title: string]>> = {
  saved: ['Saved', 'The draft is saved. Links show it when it is published.'],
  unsaved: ['Saving …', 'The draft is saved in a moment.'],
  saving: ['Saving …', 'The draft is being saved.'],
  conflict: ['Conflict', 'Somebody else has saved this template.'],
  refused: ['Not saved', 'The service does not take this document.'],
  offline: ['Offline', 'The service does not answer. The draft is saved as soon as it does.'],
};

function SaveNote({ editor }: { editor: Editor }): VNode {
  const state = editor.saveState.value;
  const [text, title] = notes[state];
  return (
    <span class="save-note" data-state={state} role="status" title={editor.refusal.value ?? title}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

function label(verb: string, step: string | undefined): string {
  return step === undefined ? verb : `${verb}: ${step}`;
}

const undoPath = 'M6 4 3 7l3 3M3 7h6.5a3.5 3.5 0 0 1 0 7H7';
const redoPath = 'm10 4 3 3-3 3m3-3H6.5a3.5 3.5 0 0 0 0 7H9';
const helpPath = 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.6';
