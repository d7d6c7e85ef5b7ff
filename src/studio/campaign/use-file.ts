/** Loads files of the service as object URLs. Unmounting the component revokes its URL. */
import { useEffect, useState } from 'preact/hooks';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import { explainError } from '../wording.ts';

/** URL of a loaded file, or the reason for a failure. Both are undefined while the file loads. */
export interface LoadedFile {
  url?: string;
  problem?: string;
}

/** Loads `path`, and again when `key` changes. Loads nothing if `key` is undefined. */
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
