/** Loads code and styles that few visits need when they are first shown. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns the code that `load` resolves to, undefined until then. `load` must be a constant: it is called once. */
export function useCode<Code extends object>(
  load: () => Promise<Code>,
): Code | 'failed' | undefined {
  const [code, setCode] = useState<Code | 'failed' | undefined>(undefined);
  useEffect(() => {
    load().then(setCode, () => setCode('failed'));
  }, []);
  return code;
}

/** The message for code that could not be loaded. */
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

/** Loads a style sheet from the folder of the scripts, once per page. */
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
