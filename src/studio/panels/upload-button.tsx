/** A button that uploads a file, with how far it is and what went wrong. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { explainError } from '../state/explain-error.ts';
import { icon } from './icons.tsx';

/** An upload that runs or has failed. */
export interface UploadState {
  /** From 0 to 1; undefined when none runs. */
  progress: number | undefined;
  problem: string | undefined;
  /** Uploads a file; undefined, of a choice that was cancelled, does nothing. */
  run: (file: File | undefined) => Promise<void>;
}

/** One upload at a time. `send` stores the file and uses the answer; what it rejects with is told. */
export function useUpload(
  send: (file: File, onProgress: (part: number) => void) => Promise<void>,
): UploadState {
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const run = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setProblem(undefined);
    setProgress(0);
    try {
      await send(file, setProgress);
    } catch (error) {
      setProblem(`${file.name} was not uploaded. ${explainError(error)}`);
    }
    setProgress(undefined);
  };
  return { progress, problem, run };
}

/** Chooses the file. `accept` is of the file field; `label` is for who cannot see the button. */
export function UploadButton({
  upload,
  accept,
  text,
  label,
}: {
  upload: UploadState;
  accept: string;
  text: string;
  label: string;
}): VNode {
  return (
    <label class="p-small p-file">
      {icon('upload')} {text}
      <input
        type="file"
        class="quiet"
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const input = event.currentTarget;
          void upload.run(input.files?.[0]);
          // The same file again is a choice again.
          input.value = '';
        }}
      />
    </label>
  );
}

/** What there is to say about an upload. */
export function UploadReport({ upload }: { upload: UploadState }): VNode | null {
  const { progress, problem } = upload;
  if (progress !== undefined) {
    return <progress max="1" value={progress} aria-label="Upload" />;
  }
  return problem === undefined ? null : (
    <p class="p-problem" role="alert">
      {problem}
    </p>
  );
}
