/** Files of the service as object URLs, which end with the component that shows them. */
import { useEffect, useState } from 'preact/hooks';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import { explainError } from '../wording.ts';

/** A file, or why there is none; neither while it is on its way. */
export interface LoadedFile {
  url?: string;
  problem?: string;
}

/** Loads `path`, again when `key` changes; an undefined key: there is nothing to load. */
export function useFile(
  service: Service,
  key: string | undefined,
  path: string,
  init: RequestInit = {},
): LoadedFile {
  const [file, setFile] = useState<LoadedFile>({});
  useEffect(() => {
    setFile({});
    if (key === undefined) return undefined;
    const running = new AbortController();
    let url: string | undefined;
    const load = async (): Promise<void> => {
      try {
        const response = await loadFile(service, path, { ...init, signal: running.signal });
        const blob = await response.blob();
        if (running.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setFile({ url });
      } catch (error) {
        if (!running.signal.aborted) setFile({ problem: explainError(error) });
      }
    };
    void load();
    return () => {
      running.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [key]);
  return file;
}
