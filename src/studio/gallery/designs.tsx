/** Lists designs to copy, by category: the samples of the service and the templates of the organization. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { isRightToLeft } from '#language/writing-direction.ts';
import type { RenderedImage, SampleList, TemplateSummary } from '../../client/platen-client.ts';
import { explainError } from '../wording.ts';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import { withMostWords } from './template-list.ts';
import { drawThumbnail, Thumbnail } from './thumbnail.tsx';

type Sample = SampleList['samples'][number];

/** A design of the list. */
interface Design {
  key: string;
  name: string;
  category: string;
  /** The text that a search looks through. */
  words: string;
  /** The text below the name: the size of a sample, or `Yours`. */
  note: string;
  draw: (signal: AbortSignal) => Promise<RenderedImage>;
  take: () => void;
}

/** Names of the categories, in display order. `yours` holds the templates of the organization. */
const categoryNames: Readonly<Record<string, string>> = {
  email: 'Email',
  shop: 'Shop',
  events: 'Events',
  customers: 'Customers',
  social: 'Social',
  messages: 'Messages',
  documents: 'Documents',
  samples: 'Samples',
  yours: 'Yours',
};

const languages = new Intl.DisplayNames('en', { type: 'language' });

interface DesignsProps {
  service: Service;
  /** Templates of the organization, in display order. */
  templates: readonly TemplateSummary[];
  takeSample: (sample: Sample) => void;
  copy: (template: TemplateSummary) => void;
}

/** Matches windows in which the designs are below the other ways to begin, so that a focus there scrolls the dialog. */
const oneColumnQuery = '(max-width: 760px)';

/** Shows a search field, the categories, and the designs as images. */
export function Designs({ service, templates, takeSample, copy }: DesignsProps): VNode {
  const { samples, problem } = useSamples(service);
  const [sought, setSought] = useState('');
  const [category, setCategory] = useState('');
  const isSample = new Set(samples.map(({ uid }) => uid));
  const designs = [
    ...samples.map((sample) => sampleDesign(service, sample, takeSample)),
    // The templates of a new installation include the samples, under the same uids.
    ...templates
      .filter(({ uid }) => !isSample.has(uid))
      .map((template) => copyDesign(service, template, copy)),
  ];
  const matching = withMostWords(designs, sought);
  const found = matching.filter((design) => category === '' || design.category === category);
  const order = Object.keys(categoryNames);
  found.sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category));
  return (
    <section class="designs" aria-label="Designs">
      <div class="designs-head">
        <input
          autofocus={!globalThis.matchMedia(oneColumnQuery).matches}
          type="search"
          aria-label="Search designs"
          placeholder="Search designs: birthday, cart, Arabic …"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
          onKeyDown={({ key, isComposing }) => {
            // Enter with an empty search takes no design. During a composition, Enter belongs to the input method.
            if (key === 'Enter' && !isComposing && sought.trim() !== '') found[0]?.take();
          }}
        />
        <Categories designs={matching} chosen={category} choose={setCategory} />
      </div>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="quiet" role="status">
        {found.length === 1 ? '1 design' : `${found.length} designs`}
      </p>
      {found.length === 0 && samples.length > 0 && (
        <p class="designs-empty">No design is called that. Begin with a blank one.</p>
      )}
      <ul class="design-list">
        {found.map((design) => (
          <DesignTile key={design.key} design={design} />
        ))}
      </ul>
    </section>
  );
}

function useSamples(service: Service): { samples: readonly Sample[]; problem: string | undefined } {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    service.client.listSamples(leaving).then(
      (list) => setSamples(list.samples),
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(explainError(error));
      },
    );
    return () => leaving.abort();
  }, [service]);
  return { samples, problem };
}

function sampleDesign(service: Service, sample: Sample, take: (sample: Sample) => void): Design {
  const { uid, name, category, lang, width, height } = sample;
  const language = languages.of(lang) ?? lang;
  const direction = isRightToLeft(lang) ? 'RTL' : 'LTR';
  const words = `${name} ${categoryNames[category] ?? category} ${language} ${direction}`;
  return {
    key: `sample ${uid}`,
    name,
    category,
    words,
    note: `${width} × ${height}`,
    draw: (signal) => drawSample(service, uid, signal),
    take: () => take(sample),
  };
}

function copyDesign(
  service: Service,
  template: TemplateSummary,
  copy: (template: TemplateSummary) => void,
): Design {
  const { uid, name, updated_at: updatedAt } = template;
  return {
    key: `${uid} ${updatedAt}`,
    name,
    category: 'yours',
    words: `${name} ${uid}`,
    note: 'Yours',
    draw: (signal) => drawThumbnail(service, uid, signal),
    take: () => copy(template),
  };
}

interface CategoriesProps {
  designs: readonly Design[];
  /** Empty for all categories. */
  chosen: string;
  choose: (category: string) => void;
}

/** Buttons for the chosen category and for all categories that have designs. */
function Categories({ designs, chosen, choose }: CategoriesProps): VNode {
  const counts = new Map<string, number>();
  for (const { category } of designs) counts.set(category, (counts.get(category) ?? 0) + 1);
  const names = Object.entries(categoryNames).filter(([id]) => counts.has(id) || id === chosen);
  return (
    <div class="chips" role="group" aria-label="Category">
      {[['', 'All'], ...names].map(([id = '', name]) => (
        <button type="button" key={id} aria-pressed={chosen === id} onClick={() => choose(id)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function DesignTile({ design: { key, name, note, draw, take } }: { design: Design }): VNode {
  return (
    <li>
      <button type="button" class="design" title={name} onClick={take}>
        <Thumbnail imageKey={key} draw={draw} alt="" />
        <span class="design-name">{name}</span>
        <small>{note}</small>
      </button>
    </li>
  );
}

async function drawSample(
  service: Service,
  uid: string,
  signal: AbortSignal,
): Promise<RenderedImage> {
  const response = await loadFile(service, `/v1/samples/${uid}/image`, { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, contentType: 'image/webp', etag: undefined, warnings: '' };
}
