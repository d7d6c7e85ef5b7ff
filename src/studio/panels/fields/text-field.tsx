/** A text, which offers variables and formats where a binding is typed. */
import type { TargetedEvent, TargetedKeyboardEvent, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import { complete, completionAt } from './completion.ts';
import type { Completion, Offer } from './completion.ts';
import type { ControlProps } from './number.tsx';
import type { FieldKind } from './schema-fields.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

interface TextFieldProps extends ControlProps<Extract<FieldKind, { type: 'text' }>> {
  /** What it may bind; none for a text that takes no binding. */
  variables: readonly Variable[];
  isCode?: boolean;
}

/** Lines that a text's field shows. */
const rowsMax = 8;

/** The field; a long text has several lines. */
export function TextField(props: TextFieldProps): VNode {
  const { id, kind, value, placeholder, isInvalid, change, variables, isCode = false } = props;
  const visit = useRef(0);
  const fieldRef = useRef<Field>(null);
  /** What to select once the field shows what was completed. */
  const selectNext = useRef<[from: number, to: number] | undefined>(undefined);
  const [offered, setOffered] = useState<Completion | undefined>(undefined);
  const [active, setActive] = useState(0);
  const text = typeof value === 'string' ? value : '';
  useLayoutEffect(() => {
    if (selectNext.current !== undefined)
      fieldRef.current?.setSelectionRange(...selectNext.current);
    selectNext.current = undefined;
  });
  const write = (next: string): void => change(next, `${id}:${visit.current}`);
  const take = (offer: Offer): void => {
    if (offered === undefined) return;
    const completed = complete(text, offered, offer);
    selectNext.current = completed.selection;
    setOffered(undefined);
    write(completed.text);
    // A text that is one binding alone becomes another control, with the same id.
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  const shared = {
    id,
    class: isCode ? 'p-code' : undefined,
    value: text,
    placeholder,
    spellcheck: !isCode,
    'aria-invalid': isInvalid,
    'aria-autocomplete': 'list' as const,
    'aria-controls': offered && `${id}-offers`,
    'aria-activedescendant': offered && `${id}-offer-${active}`,
    onFocus: () => {
      visit.current += 1;
    },
    onBlur: () => setOffered(undefined),
    onInput: ({ currentTarget: { value: now, selectionStart } }: TargetedEvent<Field>) => {
      setOffered(completionAt(now, selectionStart ?? now.length, variables));
      setActive(0);
      write(now);
    },
    onKeyDown: (event: TargetedKeyboardEvent<Field>) => {
      if (offered !== undefined) pressKey(event, offered, { active, setActive, take, setOffered });
    },
  };
  const lines = text.split('\n').length + Math.floor(text.length / 34);
  const rows = Math.min(rowsMax, Math.max(2, lines));
  return (
    <span class="p-completed">
      {kind.isLong ? (
        <textarea ref={fieldRef as { current: HTMLTextAreaElement }} rows={rows} {...shared} />
      ) : (
        <input
          ref={fieldRef as { current: HTMLInputElement }}
          type="text"
          autocomplete="off"
          {...shared}
        />
      )}
      {offered && <Offers id={id} offers={offered.offers} active={active} take={take} />}
    </span>
  );
}

interface KeyActions {
  active: number;
  setActive: (index: number) => void;
  take: (offer: Offer) => void;
  setOffered: (completion: undefined) => void;
}

/** Arrows choose, Enter and Tab take, Escape closes; other keys go on typing. */
function pressKey(event: KeyboardEvent, { offers }: Completion, actions: KeyActions): void {
  const { active, setActive, take, setOffered } = actions;
  const offer = offers[active];
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + offers.length) % offers.length);
      break;
    }
    case 'Enter':
    case 'Tab':
      if (offer !== undefined) take(offer);
      break;
    case 'Escape':
      setOffered(undefined);
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}

interface OffersProps {
  id: string;
  offers: readonly Offer[];
  active: number;
  take: (offer: Offer) => void;
}

function Offers({ id, offers, active, take }: OffersProps): VNode {
  const activeRef = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => activeRef.current?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <span class="p-offers" id={`${id}-offers`} role="listbox" aria-label="Go on with">
      {offers.map((offer, index) => (
        <span
          key={offer.text}
          ref={index === active ? activeRef : null}
          id={`${id}-offer-${index}`}
          class="p-offer"
          role="option"
          aria-selected={index === active}
          title={offer.hint}
          // The field keeps the focus, and its selection.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <span>{offer.text}</span>
          <span class="p-note">{offer.hint}</span>
        </span>
      ))}
    </span>
  );
}
