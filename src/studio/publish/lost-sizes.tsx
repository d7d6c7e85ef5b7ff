/** Warns of links that name a size which the next version lacks. */
import type { VNode } from 'preact';
import type { Template } from '#language/schema/template.ts';
import { linkSizes } from './share-links.ts';

interface LostSizesProps {
  /** The published document. */
  now: Template;
  /** The document that is to be published. */
  then: Template;
}

/** Renders nothing if links keep all sizes. */
export function LostSizes({ now, then }: LostSizesProps): VNode | null {
  const kept = new Set(linkSizes(then).map(({ name }) => name));
  const lost = linkSizes(now).filter(({ name }) => !kept.has(name));
  if (lost.length === 0) return null;
  const names = lost.map(({ name }) => `“${name}”`).join(', ');
  const what = then.onError === 'json' ? 'answer an error' : 'show the base size';
  return (
    <p class="problem" role="alert">
      Links with the size {names} then {what}.
    </p>
  );
}
