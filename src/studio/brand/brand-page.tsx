/** Page of the brand kit: edits it, saves it as a whole, and applies it to the templates that follow it. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { emptyBrand } from '#language/brand.ts';
import type { Brand } from '#language/brand.ts';
import { PageFrame } from '../page-frame.tsx';
import { brandHash } from '../session.tsx';
import type { Session } from '../session.tsx';
import { editedBrand, keepEditedBrand, loadBrand, saveBrand } from '../state/brand.ts';
import type { Service } from '../state/service.ts';
import { explainError, notify } from '../wording.ts';
import { Behind } from './behind.tsx';
import { ColorEntry, FontEntry, LogoEntry, StyleEntry } from './entries.tsx';
import type { EntryProps } from './entries.tsx';

export function BrandPage({ session }: { session: Session }): VNode {
  return (
    <PageFrame organization={session.organization}>
      <h1>Brand kit</h1>
      <p class="soft">
        Colours, text styles, logos and fonts that all templates can follow. Change one here, then
        apply the kit: every template that follows it gets the new value.
      </p>
      <Kit service={session.service} />
    </PageFrame>
  );
}

function Kit({ service }: { service: Service }): VNode {
  const [kit, setKit] = useState<Brand>(emptyBrand);
  const [state, setState] = useState<'loading' | 'saved' | 'changed' | 'saving'>('loading');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const load = async (): Promise<void> => {
    const edited = editedBrand(service);
    try {
      setKit(edited ?? (await loadBrand(service)));
      setState(edited === undefined ? 'saved' : 'changed');
    } catch (error) {
      setProblem(explainError(error));
    }
  };
  useEffect(() => void load(), [service]);
  useEffect(() => guardEdits(service), [service]);
  const change = (next: Partial<Brand>): void => {
    const changed = { ...kit, ...next };
    keepEditedBrand(service, changed);
    setKit(changed);
    setState('changed');
  };
  const save = async (): Promise<void> => {
    setState('saving');
    setProblem(undefined);
    try {
      await saveBrand(service, kit);
      keepEditedBrand(service, undefined);
      setState('saved');
      notify('Saved the brand kit.');
    } catch (error) {
      setProblem(explainError(error));
      setState('changed');
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void save();
  };
  if (state === 'loading') return <Problem text={problem} />;
  return (
    <>
      <form class="brand-kit" onSubmit={submit}>
        <AllEntries service={service} kit={kit} change={change} />
        <Problem text={problem} />
        <p class="brand-save">
          <button type="submit" class="primary" disabled={state !== 'changed'}>
            {state === 'saving' ? 'Saving …' : 'Save the kit'}
          </button>
        </p>
      </form>
      {state === 'saved' && <Behind service={service} />}
    </>
  );
}

/** Asks before a tab with unsaved edits closes. The returned function stops that and notifies of edits that remain. */
function guardEdits(service: Service): () => void {
  const guard = (event: BeforeUnloadEvent): void => {
    if (editedBrand(service) !== undefined) event.preventDefault();
  };
  globalThis.addEventListener('beforeunload', guard);
  return () => {
    globalThis.removeEventListener('beforeunload', guard);
    if (editedBrand(service) === undefined) return;
    notify('The brand kit has changes that are not saved.', {
      action: { label: 'Back to it', run: () => (globalThis.location.hash = brandHash) },
    });
  };
}

interface KitProps {
  service: Service;
  kit: Brand;
  change: (next: Partial<Brand>) => void;
}

function AllEntries(props: KitProps): VNode {
  return (
    <>
      <Entries
        {...{ ...props, kind: 'colors', title: 'Colours', add: 'Add a colour' }}
        made={{ id: '', name: 'Colour', value: '#b93a12' }}
        row={(entry) => <ColorEntry {...entry} />}
      />
      <Entries
        {...{ ...props, kind: 'textStyles', title: 'Text styles' }}
        add="Add a text style"
        made={{ id: '', name: 'Heading', fontFamily: 'Inter', fontSize: 32, fontWeight: 600 }}
        row={(entry) => <StyleEntry {...entry} />}
      />
      <Entries
        {...{ ...props, kind: 'logos', title: 'Logos', add: 'Add a logo' }}
        made={{ id: '', name: 'Logo', src: '' }}
        row={(entry) => <LogoEntry {...entry} />}
      />
      <Entries
        {...{ ...props, kind: 'fonts', title: 'Fonts', add: 'Add a font' }}
        made={{ id: '', name: 'Body', family: 'Inter' }}
        row={(entry) => <FontEntry {...entry} />}
      />
    </>
  );
}

function Problem({ text }: { text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** Maximum number of entries of each kind, as in the service. */
const entriesMax = 50;

interface EntriesProps<Kind extends keyof Brand> extends KitProps {
  kind: Kind;
  title: string;
  add: string;
  /** A new entry, without its id. */
  made: Brand[Kind][number];
  row: (props: EntryProps<Brand[Kind][number]>) => ComponentChildren;
}

function Entries<Kind extends keyof Brand>(props: EntriesProps<Kind>): VNode {
  const { service, kit, change, kind, title, add, made, row } = props;
  const entries: readonly Brand[Kind][number][] = kit[kind];
  const set = (next: readonly Brand[Kind][number][]): void => change({ [kind]: next });
  const list = useRef<HTMLElement>(null);
  const [added, setAdded] = useState('');
  useEffect(() => {
    list.current?.querySelector<HTMLInputElement>(`[data-entry="${added}"] input`)?.select();
  }, [added]);
  return (
    <section ref={list} class="campaign-card" aria-labelledby={`brand-${kind}`}>
      <h2 id={`brand-${kind}`}>{title}</h2>
      {entries.map((entry, index) => (
        <div class="brand-entry" key={entry.id} data-entry={entry.id}>
          {row({ service, entry, set: (changed) => set(entries.with(index, changed)) })}
          <button
            type="button"
            aria-label={`Remove ${entry.name}`}
            onClick={() => set(entries.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      {entries.length < entriesMax && (
        <p>
          <button
            type="button"
            onClick={() => {
              const id = freshId(made.name);
              set([...entries, { ...made, id }]);
              setAdded(id);
            }}
          >
            {add}
          </button>
        </p>
      )}
    </section>
  );
}

/** An id from a name, random: templates may still follow an entry that was removed, and must not follow a new one. */
function freshId(name: string): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${name.toLowerCase()}-${random.toString(36)}`;
}
