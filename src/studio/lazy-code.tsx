/** Code and styles that few visits need: loaded when they are shown first. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What `load` gives; undefined until then. `load` must be a constant. */
export function useCode<Code extends object>(
  load: () => Promise<Code>,
): Code | 'failed' | undefined {
  const [code, setCode] = useState<Code | 'failed' | undefined>(undefined);
  useEffect(() => {
    load().then(setCode, () => setCode('failed'));
  }, []);
  return code;
}

/** Stands in place of what was not loaded. */
export function NotLoaded(): VNode {
  return (
    <>
      <p>
        The service does not answer, or has a newer version of the studio. Load the page again:
        nothing is lost.
      </p>
      <button type="button" class="primary" onClick={() => globalThis.location.reload()}>
        Load again
      </button>
    </>
  );
}

/** Loads a style that stands beside the scripts; once. */
export function loadStyle(name: string): Promise<void> {
  const url = new URL(name, import.meta.url).href;
  if (document.querySelector(`link[href="${url}"]`) !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${name} was not loaded`));
    });
    document.head.append(link);
  });
}
