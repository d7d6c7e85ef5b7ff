/** Chooses font families, each shown in its font, and uploads new fonts. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FontList } from '../../../client/platen-client.ts';
import type { Editor } from '../../state/editor.ts';
import { BrandFonts, brandFonts } from '../../brand/choices.tsx';
import type { Follow } from '../../brand/swatches.tsx';
import type { Service } from '../../state/service.ts';
import { icon } from '../../icons.tsx';
import { Popover } from '../../dialog.tsx';
import { toolButton } from './structured.tsx';
import { libraryOf, LibraryRows } from './font-library.tsx';
import type { LibraryFamily } from './font-library.tsx';
import { LazyImage, fontThumbnail } from '../layers/thumbnails.tsx';
import { UploadButton, UploadReport, useUpload } from '../asset-library.tsx';
import { fontFiles, uploadFontFile } from '../../state/service.ts';

type Families = FontList['families'];

const known = new WeakMap<Service, Signal<Families>>();

/** Returns the families of the service, empty until it responds. Requests them once per service. */
export function familiesOf(service: Service): Signal<Families> {
  const kept = known.get(service);
  if (kept !== undefined) return kept;
  const families = signal<Families>([]);
  known.set(service, families);
  void refresh(service, families);
  return families;
}

async function refresh({ client }: Service, families: Signal<Families>): Promise<void> {
  try {
    families.value = (await client.listFonts()).families;
  } catch {
    // The picker then shows that it has no families.
  }
}

export interface FontPickerProps {
  editor: Editor;
  id: string;
  label: string;
  /** A family, or several in fallback order. */
  value: unknown;
  kind: { most: number };
  /** Shown if no family is chosen. Undefined for a property that is always a list. */
  standard?: unknown;
  change: (value: unknown, gesture?: string) => void;
  isMixed?: boolean;
  /** Replaces all families by the family of a brand kit entry, which the property then follows. */
  follow: Follow;
}

/** Edits a list of families. A single family is stored as its name, unless the property is always a list. */
export function FontPicker(props: FontPickerProps): VNode {
  const { editor, id, label, value, kind, standard, change, isMixed = false, follow } = props;
  const [open, setOpen] = useState<{ index: number; anchor: HTMLElement } | undefined>(undefined);
  const chosen = namesIn(value);
  const isList = standard === undefined;
  const shown = chosen.length === 0 && !isList ? (isMixed ? ['Mixed'] : namesIn(standard)) : chosen;
  const write = (next: readonly string[]): void => {
    if (next.length === 0) change(undefined);
    else change(next.length === 1 && !isList ? next[0] : next);
  };
  const setFamily = (index: number, family: string): void => {
    write(index >= chosen.length ? [...chosen, family] : chosen.with(index, family));
    setOpen(undefined);
  };
  const followFirst: Follow = (entry, family) => {
    follow(entry, family);
    setOpen(undefined);
  };
  const openAt = (index: number) => (event: Event) => {
    const anchor = event.currentTarget as HTMLElement;
    setOpen(open?.index === index ? undefined : { index, anchor });
  };
  return (
    <div class="p-fonts">
      {shown.map((family, index) => (
        <div class="p-font-row" key={index}>
          <button
            type="button"
            id={index === 0 ? id : undefined}
            class="p-font-button"
            aria-label={`${label}: ${family}`}
            aria-expanded={open?.index === index}
            onClick={openAt(index)}
          >
            <span>{family}</span>
            {icon('open')}
          </button>
          {chosen.length > (isList ? 0 : 1)
            ? toolButton('minus', `Remove ${family}`, () => write(chosen.toSpliced(index, 1)))
            : null}
        </div>
      ))}
      {(isList || chosen.length > 0) && chosen.length < kind.most ? (
        <button
          type="button"
          class="p-link"
          id={shown.length === 0 ? id : undefined}
          onClick={openAt(Math.max(chosen.length, 0))}
        >
          Add a fallback
        </button>
      ) : null}
      {open === undefined ? null : (
        <FamilyList
          service={editor.service}
          anchor={open.anchor}
          current={shown[open.index]}
          choose={(family: string) => setFamily(open.index, family)}
          // Only a property with a single name can follow an entry.
          follow={isList || chosen.length > 1 ? undefined : followFirst}
          close={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

/** Returns the families of a property, which has one name or an array of names. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}

interface FamilyListProps {
  service: Service;
  anchor: HTMLElement;
  current: string | undefined;
  choose: (family: string) => void;
  follow?: Follow | undefined;
  close: () => void;
}

export function FamilyList(props: FamilyListProps): VNode {
  const { service, anchor, current, choose, close } = props;
  const { follow = (_, family) => choose(family) } = props;
  const families = familiesOf(service);
  const [sought, setSought] = useState('');
  const library = libraryOf(service);
  const isSought = (words: string): boolean =>
    words.toLowerCase().includes(sought.trim().toLowerCase());
  const found = families.value.filter(({ family }) => isSought(family));
  const names = new Set(families.value.map(({ family }) => family.toLowerCase()));
  const addable = library.value.filter(
    ({ family, kind }) => !names.has(family.toLowerCase()) && isSought(`${family} ${kind}`),
  );
  const added = async ({ family }: LibraryFamily): Promise<void> => {
    await refresh(service, families);
    choose(family);
  };
  const upload = useUpload(async (file, onProgress) => {
    const { family } = await uploadFontFile(service, file, onProgress);
    await refresh(service, families);
    choose(family);
  });
  const ofBrand = brandFonts(service, isSought);
  const chooseFirst = (event: KeyboardEvent): void => {
    const [[ofKit], [first]] = [ofBrand, found];
    if (event.key !== 'Enter' || event.isComposing || (ofKit ?? first) === undefined) return;
    // The choice may move the focus into a text, where Enter would insert a line break.
    event.preventDefault();
    if (ofKit !== undefined) follow(ofKit.id, ofKit.family);
    else if (first !== undefined) choose(first.family);
  };
  return (
    <Popover anchor={anchor} label="Fonts" side="beside" close={close}>
      <div class="p-font-list">
        <input
          data-first
          type="search"
          aria-label="Search fonts"
          placeholder={`Search ${names.size + library.value.length} families`}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
          onKeyDown={chooseFirst}
        />
        <div class="p-font-scroll">
          <BrandFonts service={service} isSought={isSought} follow={follow} />
          {found.map((facts) => (
            <FamilyRow
              key={facts.family}
              service={service}
              facts={facts}
              isCurrent={facts.family === current}
              choose={choose}
            />
          ))}
          <LibraryRows service={service} families={addable} added={added} />
          {ofBrand.length + found.length + addable.length === 0 ? (
            <p class="p-note">No family of that name.</p>
          ) : null}
        </div>
        <UploadReport upload={upload} />
        <UploadButton
          upload={upload}
          accept={fontFiles}
          text="Upload a font"
          label="Upload a font: TTF, OTF or WOFF2"
        />
      </div>
    </Popover>
  );
}

interface FamilyRowProps {
  service: Service;
  facts: Families[number];
  isCurrent: boolean;
  choose: (family: string) => void;
}

function FamilyRow({ service, facts, isCurrent, choose }: FamilyRowProps): VNode {
  const { family, source, weights } = facts;
  return (
    <button type="button" class="p-font" aria-pressed={isCurrent} onClick={() => choose(family)}>
      <LazyImage
        className="p-font-image"
        label={family}
        load={() => fontThumbnail(service, family, family)}
      />
      <span class="p-note" aria-hidden="true">
        {describeFamily(source, weights)}
      </span>
    </button>
  );
}

/** Returns the range of weights, such as `100–900`, and whether the organization uploaded the family. */
function describeFamily(source: string, weights: readonly number[]): string {
  const [first] = weights;
  const last = weights.at(-1);
  const range = first === last ? String(first ?? '') : `${String(first)}–${String(last)}`;
  return source === 'own' ? `uploaded · ${range}` : range;
}
