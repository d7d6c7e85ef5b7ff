/** The command palette: a search for templates, layers and actions that needs only the keyboard. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Dialog } from '../dialog.tsx';
import { createTemplateList } from '../gallery/template-list.ts';
import { brandHash, campaignsHash, galleryHash, openTemplate, signOut } from '../session.tsx';
import type { Session } from '../session.tsx';
import { isAppleKeyboard, keyLabels } from '../wording.ts';
import { offeredCommands } from './commands.ts';
import type { Command } from './commands.ts';
import { editorCommands } from './editor-commands.ts';
import { findCommands } from './find-commands.ts';

interface PaletteProps {
  session: Session;
  close: () => void;
}

/** Enter runs the active command, arrow keys choose it, Escape closes. */
export function Palette({ session, close }: PaletteProps): VNode {
  const offered = useMemo(() => [...offeredCommands({ editorCommands }), ...pageCommands()], []);
  const templates = useTemplates(session);
  const [sought, setSought] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const found = findCommands([...offered, ...templates], sought);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    // Close first: closing returns the focus, which the command may then move for the next key.
    input.current?.closest('dialog')?.close();
    close();
    command.run();
  };
  const press = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, active, found.length);
    if (event.key === 'Enter') run(found[active]);
    else if (next !== undefined) setActive(next);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search and commands" className="palette" close={close}>
      <input
        ref={input}
        autofocus
        type="text"
        role="combobox"
        aria-label="Search templates, layers and commands"
        placeholder="Search templates, layers and commands"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `palette-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={sought}
        onInput={(event) => {
          setSought(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      <p class={found.length > 0 ? 'quiet' : 'soft'} role="status">
        {found.length === 0 ? 'Nothing is called that.' : `${found.length} results`}
      </p>
      <ul class="palette-list" id="palette-list" role="listbox" aria-label="Results">
        {found.map((command, index) => (
          <Option
            key={command.id}
            command={command}
            index={index}
            isActive={index === active}
            run={() => run(command)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

/** Returns the index that a key moves to; undefined for other keys and for an empty list. */
function nextIndex(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active - 1 + count) % count;
  if (key === 'PageDown') return Math.min(count - 1, active + 8);
  if (key === 'PageUp') return Math.max(0, active - 8);
  return undefined;
}

interface OptionProps {
  command: Command;
  index: number;
  isActive: boolean;
  run: () => void;
}

function Option({ command: { kind, name, keys }, index, isActive, run }: OptionProps): VNode {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const [first] = keys ?? [];
  return (
    <li
      ref={element}
      id={`palette-${index}`}
      role="option"
      aria-selected={isActive}
      onPointerDown={(event) => event.preventDefault()}
      onClick={run}
    >
      <span class="palette-name">{name}</span>
      {first !== undefined && (
        <span class="palette-keys">
          {keyLabels(first, isAppleKeyboard()).map((label) => (
            <kbd key={label}>{label}</kbd>
          ))}
        </span>
      )}
      <span class="soft">{kind}</span>
    </li>
  );
}

function go(hash: string): () => void {
  return () => {
    globalThis.location.hash = hash;
  };
}

function pageCommands(): Command[] {
  return [
    {
      id: 'templates',
      kind: 'Page',
      name: 'Templates',
      words: 'gallery archive archived',
      run: go(galleryHash),
    },
    {
      id: 'brand',
      kind: 'Page',
      name: 'Brand kit',
      words: 'colors colours fonts logos palette styles settings',
      run: go(brandHash),
    },
    { id: 'campaigns', kind: 'Page', name: 'Campaigns', run: go(campaignsHash) },
    {
      id: 'api',
      kind: 'Page',
      name: 'API reference',
      words: 'docs',
      run: () => globalThis.location.assign('docs'),
    },
    { id: 'sign-out', kind: 'Action', name: 'Sign out', run: () => signOut() },
  ];
}

/** Commands for the templates in use, the last changed first, as far as the list has loaded. */
function useTemplates({ service }: Session): Command[] {
  const list = useMemo(() => createTemplateList(service.client, false), [service]);
  useEffect(() => {
    void list.load();
    return () => list.close();
  }, [list]);
  return list.templates.value.map(({ uid, name, folder, tags }) => ({
    id: `template ${uid}`,
    kind: 'Template',
    name,
    detail: uid,
    words: `${uid} ${folder} ${tags.join(' ')}`,
    run: () => openTemplate(uid),
  }));
}
