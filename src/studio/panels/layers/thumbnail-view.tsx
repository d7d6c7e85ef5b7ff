/** Shows a small picture once it is in sight. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explainError } from '../../state/explain-error.ts';
import type { Thumbnail } from './thumbnails.ts';

/** What is known of a picture: it, why there is none, or nothing yet. */
export interface Loaded {
  thumbnail: Thumbnail | undefined;
  problem: string | undefined;
}

/** Loads when `key` is there and changes; an answer to an older key is dropped. Undefined loads nothing. */
export function useThumbnail(key: string | undefined, load: () => Promise<Thumbnail>): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ thumbnail: undefined, problem: undefined });
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Loaded): void => {
      if (isCurrent) setLoaded(next);
    };
    if (key === undefined) show({ thumbnail: undefined, problem: undefined });
    else {
      load().then(
        (thumbnail) => show({ thumbnail, problem: undefined }),
        (error: unknown) => show({ thumbnail: undefined, problem: explainError(error) }),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return loaded;
}

/** A picture that is asked for when it comes into sight. `label` is its alternative text. */
export function LazyPicture({
  load,
  label,
  className,
}: {
  load: () => Promise<Thumbnail>;
  label: string;
  className: string;
}): VNode {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  const { thumbnail, problem } = useThumbnail(isSeen ? label : undefined, load);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const isShown = thumbnail !== undefined && thumbnail.url !== '';
  return (
    <span ref={place} class={className} title={problem}>
      {isShown ? <img src={thumbnail.url} alt={label} /> : <span class="quiet">{label}</span>}
    </span>
  );
}
