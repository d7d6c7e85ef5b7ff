/** The source of a picture: uploaded, dropped, chosen from what the organization has, or an address. */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { AssetLibrary } from '../asset-library.tsx';
import { FocusPoint } from './focus-point.tsx';
import { icon } from '../icons.tsx';
import type { Path } from '../json-path.ts';
import type { Target } from '../target.ts';
import { LazyPicture } from '../layers/thumbnail-view.tsx';
import { imageThumbnail } from '../layers/thumbnails.ts';
import { UploadButton, UploadReport, useUpload } from '../upload-button.tsx';
import type { UploadState } from '../upload-button.tsx';
import { imageFiles, uploadImage } from '../upload.ts';

/** Pixels of the small picture; it is shown at half of that. */
const thumbnailPx = 128;

export interface ImageFieldProps {
  editor: Editor;
  id: string;
  label: string;
  value: unknown;
  placeholder: string;
  isInvalid: boolean;
  change: (source: string, gesture?: string) => void;
  /** With a place, the point that stays in sight can be chosen. */
  target?: Target;
  path?: Path;
}

/** The field. */
export function ImageField(props: ImageFieldProps): VNode {
  const { editor, id, value, placeholder, isInvalid, change, target, path } = props;
  const { service } = editor;
  const [isDropping, setDropping] = useState(false);
  const upload = useUpload(async (file, onProgress) => {
    change((await uploadImage(service, file, onProgress)).id);
  });
  const source = typeof value === 'string' ? value : '';
  const canBeDrawn = source !== '' && !source.includes('{{');
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setDropping(false);
    const [file] = event.dataTransfer?.files ?? [];
    const address = event.dataTransfer?.getData('text/uri-list').split('\n')[0] ?? '';
    if (file !== undefined) void upload.run(file);
    else if (address !== '') change(address);
  };
  return (
    <div
      class={`p-image ${isDropping ? 'p-dropping' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={onDrop}
    >
      <div class="p-image-row">
        {canBeDrawn ? (
          <LazyPicture
            key={source}
            className="p-thumb"
            label="The picture"
            load={() => imageThumbnail(service, source, thumbnailPx)}
          />
        ) : (
          <span class="p-thumb">{icon('image')}</span>
        )}
        <ImageTools {...props} upload={upload} />
      </div>
      <UploadReport upload={upload} />
      <input
        id={id}
        type="text"
        class="p-code"
        autocomplete="off"
        spellcheck={false}
        value={source}
        placeholder={placeholder === '' ? 'https://… or asset:…' : placeholder}
        aria-invalid={isInvalid}
        onChange={(event) => change(event.currentTarget.value.trim())}
      />
      {target !== undefined && path?.at(-1) === 'src' && canBeDrawn ? (
        <FocusPoint target={target} source={source} />
      ) : null}
    </div>
  );
}

/** Upload and library. */
function ImageTools({
  editor,
  label,
  change,
  upload,
}: ImageFieldProps & { upload: UploadState }): VNode {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const choose = (asset: string): void => {
    change(asset);
    setOpen(false);
  };
  return (
    <div class="p-image-tools">
      <UploadButton
        upload={upload}
        accept={imageFiles}
        text="Upload"
        label={`${label}: upload a file`}
      />
      <button
        ref={opener}
        type="button"
        class="p-small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {icon('folder')} Library
      </button>
      <span class="p-note">or drop one here</span>
      {isOpen && opener.current !== null ? (
        <AssetLibrary
          service={editor.service}
          anchor={opener.current}
          choose={choose}
          close={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}
