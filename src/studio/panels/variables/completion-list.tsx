/** The list of completions after `{{`, chosen by keys or pointer while the field keeps the focus. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import { complete, completionAt } from './completion.ts';
import type { Completed, Completion, Offer } from './completion.ts';

interface CompletionOptions {
  /** Id of the field. */
  id: string;
  variables: readonly Variable[];
  /** Writes the text with the offer that was taken, and sets the selection. */
  take: (completed: Completed) => void;
}

/** Attributes, handlers and the list for a field with completions. */
export interface CompletionList {
  /** Attributes of the field. */
  attributes: {
    'aria-autocomplete': 'list';
    'aria-controls': string | undefined;
    'aria-activedescendant': string | undefined;
  };
  /** Updates the offers after an input; `caret` is a UTF-16 index. */
  look: (text: string, caret: number) => void;
  close: () => void;
  /** Arrows choose, Enter and Tab take, Escape closes. Returns false for other keys, which the field handles. */
  pressKey: (event: KeyboardEvent) => boolean;
  list: VNode | null;
}

/** Completion for one field. */
export function useCompletion({ id, variables, take }: CompletionOptions): CompletionList {
  const [offered, setOffered] = useState<{ text: string; at: Completion } | undefined>(undefined);
  const [active, setActive] = useState(0);
  const close = (): void => setOffered(undefined);
  const takeOffer = (offer: Offer): void => {
    if (offered === undefined) return;
    close();
    take(complete(offered.text, offered.at, offer));
  };
  const look = (text: string, caret: number): void => {
    const at = completionAt(text, caret, variables);
    setOffered(at && { text, at });
    setActive(0);
  };
  const pressKey = (event: KeyboardEvent): boolean => {
    if (offered === undefined) return false;
    const { offers } = offered.at;
    const offer = offers[active];
    if (event.key === 'ArrowDown') setActive((active + 1) % offers.length);
    else if (event.key === 'ArrowUp') setActive((active - 1 + offers.length) % offers.length);
    else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && offer !== undefined)
      takeOffer(offer);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': offered && `${id}-offers`,
      'aria-activedescendant': offered && `${id}-offer-${active}`,
    },
    look,
    close,
    pressKey,
    list:
      offered === undefined ? null : (
        <Offers id={id} offers={offered.at.offers} active={active} take={takeOffer} />
      ),
  };
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
    <span
      class="p-offers"
      id={`${id}-offers`}
      role="listbox"
      aria-label="Go on with"
      // Focusable, because the list may scroll. Tab never reaches it: in the field, Tab takes an offer.
      tabindex={0}
      // The field keeps the focus and the selection.
      onPointerDown={(event) => event.preventDefault()}
    >
      {offers.map((offer, index) => (
        <span
          key={offer.text}
          ref={index === active ? activeRef : null}
          id={`${id}-offer-${index}`}
          class="p-offer"
          role="option"
          aria-selected={index === active}
          title={offer.hint}
          onClick={() => take(offer)}
        >
          <span>{offer.text}</span>
          <span class="p-note">{offer.hint}</span>
        </span>
      ))}
    </span>
  );
}
