/** Field for one file, which the user drops or chooses. */
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';

interface DropZoneProps {
  /** Media types and extensions of `<input accept>`. */
  accept: string;
  isOff: boolean;
  class?: string;
  take: (file: File) => void;
  /** Content of the field. */
  children: ComponentChildren;
}

/** Takes the first of several files. While it is off, it takes none and reports a dropped file as refused. */
export function DropZone(props: DropZoneProps): VNode {
  const { accept, isOff, take, children } = props;
  const [isOver, setOver] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => setRefused(false), [isOff]);
  const takeFirst = (files: FileList | null | undefined): void => {
    const [file] = files ?? [];
    if (file === undefined) return;
    if (isOff) setRefused(true);
    else take(file);
  };
  return (
    <label
      class={`drop-zone ${props.class ?? ''}`}
      data-over={isOver && !isOff}
      data-off={isOff}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        takeFirst(event.dataTransfer?.files);
      }}
    >
      <input
        type="file"
        class="quiet"
        accept={accept}
        disabled={isOff}
        onChange={(event) => {
          takeFirst(event.currentTarget.files);
          // Lets the user choose the same file again.
          event.currentTarget.value = '';
        }}
      />
      {children}
      {isRefused && (
        <span class="problem" role="alert">
          The file was not taken.
        </span>
      )}
    </label>
  );
}
