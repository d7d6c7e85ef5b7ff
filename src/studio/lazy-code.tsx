/** Loads code and styles that few visits need when they are first shown. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the code that `load` resolves to, undefined until then. `load` must be a constant: it is called once, unless
 * the code is loaded.
 */
export function useCode<Code extends object>(
  load: () => Promise<Code>,
  loaded?: Code,
): Code | 'failed' | undefined {
  const [code, setCode] = useState<Code | 'failed' | undefined>(loaded);
  useEffect(() => {
    if (loaded === undefined) load().then(setCode, () => setCode('failed'));
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

/** Style sheets that are loaded or loading, by name. */
const styles = new Map<string, Promise<void>>();

/** Loads a style sheet from the folder of the scripts, once per page; again only after a failure. */
export function loadStyle(name: string): Promise<void> {
  const known = styles.get(name);
  if (known !== undefined) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL(name, import.meta.url).href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      styles.delete(name);
      reject(new Error(`${name} was not loaded`));
    });
    document.head.append(link);
  });
  styles.set(name, loading);
  return loading;
}
