/** Field for a list: the user drops or chooses a file. The module sends the file and shows progress. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Campaign } from '../../../client/platen-client.ts';
import type { Service } from '../../state/service.ts';
import { DropZone } from '../../drop-zone.tsx';
import { explainError } from '../../wording.ts';
import type { ImageOptions } from '../image-choices.ts';
import { listFiles, uploadList } from './upload.ts';
import type { ListChoices } from './upload.ts';

/** State and actions of the upload of a list. */
export interface Upload {
  /** Part of the file that is sent, from 0 to 1. Undefined if no upload runs. */
  part: number | undefined;
  problem: string | undefined;
  send: (file: File, choices: ListChoices) => void;
  cancel: () => void;
}

/**
 * Sends lists for template `uid`, one at a time. `done` receives the new campaign. The service proves `image`, by
 * default the image for an email.
 */
export function useUpload(
  service: Service,
  uid: string,
  done: (campaign: Campaign) => void,
  image?: ImageOptions,
): Upload {
  const [part, setPart] = useState<number | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (file: File, choices: ListChoices): Promise<void> => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setProblem(undefined);
    setPart(0);
    try {
      done(await uploadList(service, uid, file, choices, { image, onProgress: setPart, signal }));
    } catch (error) {
      if (signal.aborted) return;
      setProblem(explainError(error));
    }
    setPart(undefined);
  };
  const cancel = (): void => {
    running.current?.abort();
    setPart(undefined);
  };
  return {
    part,
    problem,
    send: (file, choices) => void send(file, choices),
    cancel,
  };
}

/** Shows the progress of an upload, or the reason for its failure. */
export function UploadState({ upload }: { upload: Upload }): VNode | null {
  const { part, problem, cancel } = upload;
  if (problem !== undefined) {
    return (
      <p class="problem lines" role="alert">
        {problem}
      </p>
    );
  }
  if (part === undefined) return null;
  return (
    <div class="campaign-progress">
      <p role="status">
        {part < 1 ? `Sending the list: ${Math.floor(part * 100)} %` : 'Reading the list …'}
      </p>
      <progress max="1" value={part < 1 ? part : undefined} aria-label="Upload of the list" />
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}

export function DropList({
  title,
  isOff,
  take,
}: {
  title: string;
  isOff: boolean;
  take: (file: File) => void;
}): VNode {
  return (
    <DropZone accept={listFiles} isOff={isOff} class="drop-list" take={take}>
      <strong>{title}</strong>
      <span>
        CSV, Excel (.xlsx), LibreOffice (.ods), JSON or contacts (.vcf) with a row for each
        recipient, up to 1,000,000 rows. It stays on this service, and is deleted after a time.
      </span>
    </DropZone>
  );
}
