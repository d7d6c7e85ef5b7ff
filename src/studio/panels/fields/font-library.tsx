/** Lists families of the font library, each in its face. Choosing a family adds it to the organization's fonts. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FontLibrary } from '../../../client/platen-client.ts';
import type { Service } from '../../state/service.ts';
import { loadFile } from '../../state/service.ts';
import { notifyError } from '../../wording.ts';

export type LibraryFamily = FontLibrary['families'][number];

const known = new WeakMap<Service, Signal<readonly LibraryFamily[]>>();

/** Returns the families of the library, empty until the service responds. Requests them once per service. */
export function libraryOf(service: Service): Signal<readonly LibraryFamily[]> {
  const kept = known.get(service);
  if (kept !== undefined) return kept;
  const families = signal<readonly LibraryFamily[]>([]);
  known.set(service, families);
  service.client.request('GET /v1/fonts/library').then(
    (list) => (families.value = list.families),
    // The picker still offers the bundled families and the organization's families.
    () => undefined,
  );
  return families;
}

interface LibraryRowsProps {
  service: Service;
  families: readonly LibraryFamily[];
  /** Called after a family was added to the organization's fonts. */
  added: (family: LibraryFamily) => Promise<void>;
}

/** Buttons that each add a family; null without families. */
export function LibraryRows({ service, families, added }: LibraryRowsProps): VNode | null {
  const [adding, setAdding] = useState<string | undefined>(undefined);
  const add = async (family: LibraryFamily): Promise<void> => {
    setAdding(family.id);
    try {
      const path = { id: family.id };
      await service.client.request('POST /v1/fonts/library/{id}', { path });
      await added(family);
    } catch (error) {
      notifyError(`${family.family} was not added`, error);
    }
    setAdding(undefined);
  };
  if (families.length === 0) return null;
  return (
    <>
      <h3 class="p-font-group">Font library</h3>
      {families.map((family) => (
        <button
          type="button"
          key={family.id}
          class="p-font"
          disabled={adding !== undefined}
          onClick={() => void add(family)}
        >
          <FaceName service={service} family={family} />
          <span class="p-note" aria-hidden="true">
            {adding === family.id ? 'adding …' : family.kind}
          </span>
        </button>
      ))}
    </>
  );
}

/** Loads of faces by the id of the family. A page has a few dozen faces, of 20 to 60 KB each. */
const faces = new Map<string, Promise<string>>();

/** Loads a face and returns its CSS name. No template uses that name, so the face never shows text of a template. */
function loadFace(service: Service, id: string): Promise<string> {
  const loaded = faces.get(id) ?? readFace(service, id);
  faces.set(id, loaded);
  // The next call tries a failed load again.
  loaded.catch(() => faces.delete(id));
  return loaded;
}

async function readFace(service: Service, id: string): Promise<string> {
  const response = await loadFile(service, `/v1/fonts/library/${id}`);
  const name = `library-${id}`;
  const face = await new FontFace(name, await response.arrayBuffer()).load();
  document.fonts.add(face);
  return name;
}

/** Shows the name of a family. Loads its face when the name becomes visible. */
function FaceName({ service, family }: { service: Service; family: LibraryFamily }): VNode {
  const element = useRef<HTMLSpanElement>(null);
  const [face, setFace] = useState<string | undefined>(undefined);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      loadFace(service, family.id).then(setFace, () => undefined);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <span
      ref={element}
      class="p-font-face"
      style={face === undefined ? undefined : { fontFamily: face }}
    >
      {family.family}
    </span>
  );
}
