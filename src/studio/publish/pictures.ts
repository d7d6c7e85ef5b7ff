/** Whole pictures of a draft and of versions, as object URLs that end with the component that shows them. */
import { useEffect, useState } from 'preact/hooks';
import type { PreviewRequest, RenderedImage } from '../../client/platen-client.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { explainError } from '../wording.ts';
import type { Values } from '../state/frames.ts';
import type { Service } from '../state/service.ts';

/** A picture, or why there is none; neither while it is being drawn. */
export interface LoadedPicture {
  url?: string;
  problem?: string;
}

/** Draws `request`, again when its `key` changes; without a request there is nothing to draw. */
export function usePicture(
  { client }: Service,
  request: PreviewRequest | undefined,
  key: string,
): LoadedPicture {
  const [picture, setPicture] = useState<LoadedPicture>({});
  useEffect(() => {
    setPicture({});
    if (request === undefined) return undefined;
    const running = new AbortController();
    let url: string | undefined;
    const draw = async (): Promise<void> => {
      try {
        const image = await client.preview(request, { signal: running.signal });
        if (running.signal.aborted) return;
        url = pictureUrl(image);
        setPicture({ url });
      } catch (error) {
        if (!running.signal.aborted) setPicture({ problem: explainError(error) });
      }
    };
    void draw();
    return () => {
      running.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [key]);
  return picture;
}

function pictureUrl({ bytes, contentType }: RenderedImage): string {
  return URL.createObjectURL(new Blob([bytes.slice()], { type: contentType }));
}

/** The values that a document's variables can take: those of the same name and, as far as can be told, type. */
export function valuesFor(values: Values, document: Template, drawn: Template): Values {
  const types = new Map(document.variables.map(({ name, type }) => [name, type]));
  const isKnown = ({ name, type }: Variable): boolean => types.get(name) === type;
  const known = new Set(drawn.variables.filter(isKnown).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}
