/** A field for one file that is dropped on it or chosen. */
import { useState } from 'preact/hooks';
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

/** Takes the first of several files, and none while it is off. */
export function DropZone(props: DropZoneProps): VNode {
  const { accept, isOff, take, children } = props;
  const [isOver, setOver] = useState(false);
  const takeFirst = (files: FileList | null | undefined): void => {
    const [file] = files ?? [];
    if (file !== undefined && !isOff) take(file);
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
    </label>
  );
}
