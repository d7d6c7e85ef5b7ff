/** The source of an image: an upload, a dropped file, an asset of the organization, or an address. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { AssetLibrary, UploadButton, UploadReport, useUpload } from '../asset-library.tsx';
import { icon } from '../../icons.tsx';
import type { Path } from './values.ts';
import type { Target } from '../target.ts';
import { LazyImage, useThumbnail, imageThumbnail, isImageAddress } from '../layers/thumbnails.tsx';
import type { UploadState } from '../asset-library.tsx';
import { imageFiles, uploadImage } from '../../state/service.ts';
import { followPointer } from './number.tsx';
import type { Field } from './schema-fields.ts';

/** Size of the thumbnail in pixels; it is shown at half that size. */
const thumbnailPx = 128;

export interface ImageFieldProps {
  editor: Editor;
  id: string;
  label: string;
  value: unknown;
  placeholder: string;
  isInvalid: boolean;
  change: (source: string, gesture?: string) => void;
  /** With `path`, lets the user choose a focus point and follow the brand kit. */
  target?: Target;
  path?: Path;
}

export function ImageField(props: ImageFieldProps): VNode {
  const { editor, id, value, placeholder, isInvalid, change, target, path } = props;
  const { service } = editor;
  const [isDropping, setDropping] = useState(false);
  const upload = useUpload(async (file, onProgress) => {
    change((await uploadImage(service, file, onProgress)).id);
  });
  const source = typeof value === 'string' ? value : '';
  const isStored = /^(asset|data):/.test(source);
  const canBeDrawn = isImageAddress(source);
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
          <LazyImage
            key={source}
            className="p-thumb"
            label="The image"
            load={() => imageThumbnail(service, source, thumbnailPx)}
          />
        ) : (
          <span class="p-thumb">{icon('image')}</span>
        )}
        <ImageTools {...props} upload={upload} />
      </div>
      <UploadReport upload={upload} />
      <AddressInput
        id={id}
        value={isStored ? '' : source}
        placeholder={isStored ? 'Or paste an address' : placeholder || 'https://…'}
        isInvalid={isInvalid}
        // The field of a stored image is empty: leaving it empty must not remove the image.
        change={(address) => (address !== '' || !isStored) && change(address)}
      />
      {target !== undefined && path?.at(-1) === 'src' && canBeDrawn ? (
        <FocusPoint target={target} source={source} />
      ) : null}
    </div>
  );
}

interface AddressInputProps {
  id: string;
  value: string;
  placeholder: string;
  isInvalid: boolean;
  change: (address: string) => void;
}

/** Applies an address on Enter, and when the field is left or disappears with the selection. */
function AddressInput({ id, value, placeholder, isInvalid, change }: AddressInputProps): VNode {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const apply = useRef<() => void>(undefined);
  apply.current = () => {
    setTyped(undefined);
    if (typed !== undefined && typed.trim() !== value) change(typed.trim());
  };
  useEffect(() => () => apply.current?.(), []);
  return (
    <>
      <input
        id={id}
        type="text"
        class="p-code"
        autocomplete="off"
        spellcheck={false}
        value={typed ?? value}
        placeholder={placeholder}
        aria-invalid={isInvalid}
        onInput={({ currentTarget, inputType }) => {
          // What is pasted is whole. Letters of a typed address would each be asked for.
          if (inputType !== 'insertFromPaste') return setTyped(currentTarget.value);
          setTyped(undefined);
          change(currentTarget.value.trim());
        }}
        onChange={() => apply.current?.()}
      />
      {typed === undefined ? null : <p class="p-note">Enter applies the address.</p>}
    </>
  );
}

/** The buttons for an upload and for the library. */
function ImageTools({
  editor,
  label,
  change,
  upload,
  target,
  path,
}: ImageFieldProps & { upload: UploadState }): VNode {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const choose = (asset: string): void => {
    change(asset);
    setOpen(false);
  };
  const follow = (entry: string, asset: string): void => {
    if (target === undefined || path === undefined) change(asset);
    else target.follow({ ...fieldOf('focusX'), label }, path, entry, asset);
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
          follow={follow}
          close={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}

// The focus point: the point of an image that stays visible when it is cropped.

/** Longer side of the image on which the point is chosen, in pixels. */
const sidePx = 220;

/** Step of an arrow key, as a part of the image's side. */
const keyStep = 0.02;

/** Shown if the image is cropped to its box without smart crop; null until the thumbnail is loaded. */
function FocusPoint({ target, source }: { target: Target; source: string }): VNode | null {
  const { service } = target.editor;
  const fit = target.read(['fit']);
  const isCut = (fit === undefined || fit === 'cover') && target.read(['smartCrop']) !== true;
  const key = isCut ? source : undefined;
  const { thumbnail } = useThumbnail(key, () => imageThumbnail(service, source, sidePx));
  if (!isCut || thumbnail?.naturalWidth === undefined) return null;
  const { naturalWidth = 1, naturalHeight = 1 } = thumbnail;
  const scale = sidePx / Math.max(naturalWidth, naturalHeight);
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  const [x, y] = [partOf(target.read(['focusX'])), partOf(target.read(['focusY']))];
  if (x === undefined || y === undefined) return null;
  const set = (nextX: number, nextY: number, gesture: string): void => {
    target.write(fieldOf('focusX'), ['focusX'], rounded(nextX), { gesture });
    target.write(fieldOf('focusY'), ['focusY'], rounded(nextY), { gesture });
  };
  const follow = followPointer((nextX, nextY) => set(nextX, nextY, 'focus'));
  const onKeyDown = (event: KeyboardEvent): void => {
    const way = keyWays[event.key];
    if (way === undefined) return;
    event.preventDefault();
    set(x + way[0] * keyStep, y + way[1] * keyStep, 'focus');
  };
  return (
    <div
      class="p-focus"
      role="slider"
      tabindex={0}
      aria-label="Point of the image that stays in sight"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(x * 100)}
      aria-valuetext={`${Math.round(x * 100)} % from the left, ${Math.round(y * 100)} % from the top`}
      title="What stays in sight when the image is cut"
      style={{ width: `${width}px`, height: `${height}px` }}
      onKeyDown={onKeyDown}
      {...follow}
    >
      <img src={thumbnail.url} alt="" draggable={false} />
      <span class="p-focus-knob" style={{ left: `${x * 100}%`, top: `${y * 100}%` }} />
    </div>
  );
}

const keyWays: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the field of a coordinate, a part from 0 to 1; an absent coordinate means 0.5. */
function fieldOf(name: 'focusX' | 'focusY'): Field {
  return {
    name,
    label: 'Focus point',
    hint: '',
    kind: { type: 'number', min: 0, max: 1, whole: false, unit: '%', isPart: true },
    isBindable: true,
    isRequired: false,
    standard: 0.5,
  };
}

/** Returns a coordinate; undefined if it is bound or the layers differ. */
function partOf(value: unknown): number | undefined {
  if (value === undefined) return 0.5;
  return typeof value === 'number' ? value : undefined;
}

function rounded(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 1000) / 1000;
}
