/** A field for one file that is dropped on it or chosen. */
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';

interface DropZoneProps {
  /** Media types and extensions of `<input accept>`. */
  accept: string;
  isOff: boolean;
  class?: string;
  take: (file: File) => void;
  /** What it says. */
  children: ComponentChildren;
}

/** Takes the first of several files. While it is off it takes none, and says so of a file that is dropped. */
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
        // A dialog around it would close.
        onCancel={(event) => event.stopPropagation()}
        onChange={(event) => {
          takeFirst(event.currentTarget.files);
          // The same file can be chosen again.
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
