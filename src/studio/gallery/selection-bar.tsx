/** The bar of actions on the selected templates of the gallery, with its dialogs. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { CrossIcon } from '../icons.tsx';
import type { Service } from '../state/service.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import { foldersOf, tagsOf } from './filters.tsx';
import { countOf } from './many-templates.ts';
import type { ManyActions } from './many-templates.ts';
import { MoveDialog, TagDialog } from './selection-dialogs.tsx';

interface SelectionBarProps {
  service: Service;
  selected: readonly TemplateSummary[];
  /** All templates of the list. The dialogs suggest their folders and tags. */
  templates: readonly TemplateSummary[];
  isArchived: boolean;
  actions: ManyActions;
  selectAll: () => void;
  clear: () => void;
}

/** A bar over the lower edge of the window. */
export function SelectionBar(props: SelectionBarProps): VNode {
  const { service, selected, templates, isArchived, actions, selectAll, clear } = props;
  const [asked, setAsked] = useState<'move' | 'tag' | 'archive' | undefined>(undefined);
  const run = (work: Promise<void>, staySelected = false): void => {
    setAsked(undefined);
    if (!staySelected) clear();
    void work;
  };
  const close = (): void => setAsked(undefined);
  // A draft has no links that would break.
  const archive = (): void =>
    selected.some(({ version }) => version !== null)
      ? setAsked('archive')
      : run(actions.archive(selected));
  return (
    <section class="selection-bar" aria-label="Selection">
      <strong role="status">{countOf(selected.length)} selected</strong>
      <button type="button" class="quiet-button" onClick={selectAll}>
        Select all
      </button>
      {isArchived ? (
        <button type="button" onClick={() => run(actions.restore(selected))}>
          Restore
        </button>
      ) : (
        <>
          <button type="button" onClick={() => setAsked('move')}>
            Move …
          </button>
          <button type="button" onClick={() => setAsked('tag')}>
            Tag …
          </button>
          <button type="button" onClick={archive}>
            Archive
          </button>
        </>
      )}
      <button type="button" class="icon" aria-label="Clear the selection" onClick={clear}>
        <CrossIcon />
      </button>
      {asked === 'move' && (
        <MoveDialog
          selected={selected}
          folders={foldersOf(templates)}
          close={close}
          move={(folder) => run(actions.move(selected, folder), true)}
        />
      )}
      {asked === 'tag' && (
        <TagDialog
          selected={selected}
          tags={tagsOf(templates)}
          close={close}
          change={(changes) => run(actions.tag(selected, changes), true)}
        />
      )}
      {asked === 'archive' && (
        <ArchiveDialog
          service={service}
          templates={selected}
          close={close}
          archive={() => run(actions.archive(selected))}
        />
      )}
    </section>
  );
}
