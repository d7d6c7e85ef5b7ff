/** Templates to begin with, as images: the samples of the service, and those of the organization. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { RenderedImage, SampleList, TemplateSummary } from '../../client/platen-client.ts';
import { explainError } from '../wording.ts';
import type { Service } from '../state/service.ts';
import { Thumbnail } from './thumbnail.tsx';

type Sample = SampleList['samples'][number];

/** Templates that are offered for copying; the others are copied from their own cards. */
const templatesMax = 12;

interface SamplesProps {
  service: Service;
  take: (sample: Sample) => void;
}

/** What comes with the service, for every organization. */
export function Samples({ service, take }: SamplesProps): VNode {
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
  return (
    <section aria-label="From a sample">
      <h3>From a sample</h3>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ul class="sample-list">
        {samples.map((sample) => (
          <Tile
            key={sample.uid}
            name={sample.name}
            imageKey={`sample ${sample.uid}`}
            draw={(signal: AbortSignal) => drawSample(service, sample.uid, signal)}
            take={() => take(sample)}
          />
        ))}
      </ul>
    </section>
  );
}

interface TemplateListProps {
  service: Service;
  /** In the order in which they are offered. */
  templates: readonly TemplateSummary[];
  take: (template: TemplateSummary) => void;
}

/** Those of the organization; nothing where there are none. */
export function OrganizationTemplates({
  service,
  templates,
  take,
}: TemplateListProps): VNode | null {
  if (templates.length === 0) return null;
  return (
    <section aria-label="From a template of yours">
      <h3>From a template of yours</h3>
      <ul class="sample-list">
        {templates.slice(0, templatesMax).map((template) => (
          <Tile
            key={template.uid}
            name={template.name}
            imageKey={`${template.uid} ${template.updated_at}`}
            draw={(signal: AbortSignal) => drawThumbnail(service, template.uid, signal)}
            take={() => take(template)}
          />
        ))}
      </ul>
    </section>
  );
}

interface TileProps {
  name: string;
  imageKey: string;
  draw: (signal: AbortSignal) => Promise<RenderedImage>;
  take: () => void;
}

function Tile({ name, imageKey, draw, take }: TileProps): VNode {
  return (
    <li>
      <button type="button" class="sample" onClick={take}>
        <Thumbnail imageKey={imageKey} draw={draw} alt="" />
        <span>{name}</span>
      </button>
    </li>
  );
}

/** Thumbnails need no more than a small file. */
const small = { format: 'webp', quality: 70 } as const;

/** A draft as a small file. Rejects like the client. */
export function drawThumbnail(
  { client }: Service,
  uid: string,
  signal: AbortSignal,
): Promise<RenderedImage> {
  return client.preview({ uid, ...small }, { signal });
}

async function drawSample(
  { client }: Service,
  uid: string,
  signal: AbortSignal,
): Promise<RenderedImage> {
  const template = await client.getSampleDocument(uid, { signal });
  return client.preview({ template, ...small }, { signal });
}
