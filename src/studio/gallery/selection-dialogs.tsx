/** The dialogs that move and tag the selected templates of the gallery. */
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { Dialog } from '../dialog.tsx';
import { foldersOf, tagsOf } from './filters.tsx';
import { countOf } from './many-templates.ts';

/** The service's limits of a folder name and of a tag, in characters. */
const folderLengthMax = 100;
const tagLengthMax = 40;

interface QuestionProps {
  title: string;
  action: string;
  close: () => void;
  act: () => void;
  children: ComponentChildren;
}

/** A dialog whose form calls `act`. */
function Question({ title, action, close, act, children }: QuestionProps): VNode {
  const submit = (event: Event): void => {
    event.preventDefault();
    act();
  };
  return (
    <Dialog title={title} className="archive-dialog" close={close}>
      <form class="question" onSubmit={submit}>
        {children}
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary">
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface MoveDialogProps {
  selected: readonly TemplateSummary[];
  folders: readonly string[];
  close: () => void;
  move: (folder: string) => void;
}

/** Asks for a folder. */
export function MoveDialog({ selected, folders, close, move }: MoveDialogProps): VNode {
  const [first] = foldersOf(selected);
  const [folder, setFolder] = useState(first ?? '');
  return (
    <Question
      title={`Move ${countOf(selected.length)}`}
      action="Move"
      close={close}
      act={() => move(folder.trim())}
    >
      <label class="field">
        Folder
        <input
          autofocus
          list="template-folders"
          maxlength={folderLengthMax}
          placeholder="A new name makes a folder; none takes them out"
          value={folder}
          onInput={(event) => setFolder(event.currentTarget.value)}
        />
      </label>
      <datalist id="template-folders">
        {folders.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Question>
  );
}

interface TagDialogProps {
  selected: readonly TemplateSummary[];
  tags: readonly string[];
  close: () => void;
  change: (changes: { add: string[]; remove: string[] }) => void;
}

/** The tags of a list with commas, without the `#` that a tag may begin with. */
function tagsIn(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter(Boolean);
}

/** A field for new tags, and a checkbox for each tag of the selected templates. */
export function TagDialog({ selected, tags, close, change }: TagDialogProps): VNode {
  const [text, setText] = useState('');
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const add = tagsIn(text);
  const type = (field: HTMLInputElement): void => {
    const tooLong = tagsIn(field.value).find(({ length }) => length > tagLengthMax);
    field.setCustomValidity(
      tooLong === undefined ? '' : `A tag has at most ${tagLengthMax} characters: ${tooLong}`,
    );
    setText(field.value);
  };
  return (
    <Question
      title={`Tag ${countOf(selected.length)}`}
      action="Save"
      close={close}
      act={() => change({ add, remove: [...removed] })}
    >
      <label class="field">
        Tags to add, separated by commas
        <input
          autofocus
          list="template-tags"
          value={text}
          onInput={(event) => type(event.currentTarget)}
        />
      </label>
      <datalist id="template-tags">
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {tagsOf(selected).map((tag) => (
        <label class="check-row" key={tag}>
          <input
            type="checkbox"
            checked={!removed.includes(tag)}
            onChange={({ currentTarget: { checked } }) =>
              setRemoved(checked ? removed.filter((each) => each !== tag) : [...removed, tag])
            }
          />
          #{tag}
        </label>
      ))}
    </Question>
  );
}
