/** One template of the gallery: its image, name, state and actions. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import type { Service } from '../state/service.ts';
import { CardState } from './card-state.tsx';
import { copyLink } from './copy-link.ts';
import { nameLengthMax } from './new-documents.ts';
import type { TemplateActions } from './template-list.ts';
import { drawThumbnail, Thumbnail } from './thumbnail.tsx';
import { laterDialog } from '../later-part.tsx';
import { fullTime, timeAgo } from '../wording.ts';

const ArchiveDialog = laterDialog('Archive', (code) => code.ArchiveDialog);

export interface TemplateCardProps {
  service: Service;
  template: TemplateSummary;
  isArchived: boolean;
  actions: TemplateActions;
  selection: CardSelection;
}

/** The selected templates of the gallery, by uid. */
export interface CardSelection {
  chosen: ReadonlySet<string>;
  choose: (chosen: ReadonlySet<string>) => void;
}

/** A card. An archived template has no image, and `Restore` is its only action. */
export function TemplateCard(props: TemplateCardProps): VNode {
  const { service, template, isArchived, actions, selection } = props;
  const { uid, name, updated_at: updatedAt } = template;
  const [size, setSize] = useState('');
  const [isRenaming, setRenaming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const run = async (act: (template: TemplateSummary) => Promise<void>): Promise<void> => {
    setBusy(true);
    await act(template);
    setBusy(false);
  };
  // A draft has no links that would break.
  const archive = (): void =>
    template.version === null ? void run(actions.archive) : setAsking(true);
  const rename = (next: string): void => {
    setRenaming(false);
    if (next !== name) void run((each) => actions.rename(each, next));
  };
  const offered: OfferedAction[] = isArchived
    ? [['Restore', () => void run(actions.restore)]]
    : [
        ...(template.version === null
          ? []
          : [['Copy link', () => void copyLink(service, template)] as OfferedAction]),
        ['Rename', () => setRenaming(true)],
        ['Duplicate', () => void run(actions.duplicate)],
        ['Archive', archive],
      ];
  return (
    <li class="template-card" aria-busy={isBusy} data-uid={uid}>
      <CardImage
        service={service}
        template={template}
        isArchived={isArchived}
        open={() => actions.open(uid)}
        onSize={(width, height) => setSize(`${width} × ${height} · `)}
      />
      <CardCheck template={template} selection={selection} />
      <div class="card-facts">
        {isRenaming ? (
          <NameField name={name} save={rename} />
        ) : (
          <CardTitle template={template} open={isArchived ? undefined : () => actions.open(uid)} />
        )}
        <CardState service={service} template={template} isArchived={isArchived} />
        <div class="card-swap">
          <p title={fullTime(updatedAt)}>
            {size}
            {timeAgo(updatedAt, Date.now())}
          </p>
          <CardActions name={name} isBusy={isBusy} offered={offered} />
        </div>
      </div>
      {isAsking && (
        <ArchiveDialog
          service={service}
          templates={[template]}
          close={() => setAsking(false)}
          archive={() => {
            setAsking(false);
            void run(actions.archive);
          }}
        />
      )}
    </li>
  );
}

/** The name. A click opens the template; the image is the button for keyboards. */
function CardTitle({
  template: { uid, name },
  open,
}: Pick<TemplateCardProps, 'template'> & { open: (() => void) | undefined }): VNode {
  return (
    <h2 title={`${name} (${uid})`} onClick={open}>
      {name}
    </h2>
  );
}

type OfferedAction = [label: string, act: () => void];

interface CardActionsProps {
  name: string;
  isBusy: boolean;
  offered: readonly OfferedAction[];
}

function CardActions({ name, isBusy, offered }: CardActionsProps): VNode {
  return (
    <div class="card-actions">
      {offered.map(([label, act]) => (
        <button
          type="button"
          key={label}
          disabled={isBusy}
          aria-label={`${label} ${name}`}
          onClick={act}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function CardCheck({
  template,
  selection,
}: Pick<TemplateCardProps, 'template' | 'selection'>): VNode {
  const { uid, name } = template;
  const { chosen, choose } = selection;
  const toggle = (): void => {
    const next = new Set(chosen);
    if (!next.delete(uid)) next.add(uid);
    choose(next);
  };
  return (
    <input
      type="checkbox"
      class="card-check"
      aria-label={`Select ${name}`}
      checked={chosen.has(uid)}
      onChange={toggle}
    />
  );
}

interface CardImageProps {
  service: Service;
  template: TemplateSummary;
  isArchived: boolean;
  open: () => void;
  onSize: (width: number, height: number) => void;
}

function CardImage({ service, template, isArchived, open, onSize }: CardImageProps): VNode {
  const { uid, name, updated_at: updatedAt } = template;
  if (isArchived) {
    return (
      <div class="thumbnail" data-state="archived">
        <p>Archived</p>
      </div>
    );
  }
  return (
    <button type="button" class="card-open" onClick={open}>
      <span class="quiet">Open {name}</span>
      <Thumbnail
        imageKey={`${uid} ${updatedAt}`}
        draw={(signal: AbortSignal) => drawThumbnail(service, uid, signal)}
        alt=""
        onSize={onSize}
      />
    </button>
  );
}

/** Enter and leaving the field save the name. Escape keeps the old name. */
function NameField({ name, save }: { name: string; save: (name: string) => void }): VNode {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  // Not as a property: a new render of the gallery would overwrite typed text.
  // A layout effect sets the value before the next key event.
  useLayoutEffect(() => {
    if (field.current === null) return;
    field.current.value = name;
    field.current.focus();
    field.current.select();
  }, []);
  const finish = (next: string): void => {
    if (isDone.current) return;
    isDone.current = true;
    save(next.trim() === '' ? name : next.trim());
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') finish(field.current?.value ?? name);
    else if (event.key === 'Escape') finish(name);
  };
  return (
    <input
      ref={field}
      class="card-name"
      aria-label="Name of the template"
      maxlength={nameLengthMax}
      onKeyDown={press}
      onBlur={() => finish(field.current?.value ?? name)}
    />
  );
}
