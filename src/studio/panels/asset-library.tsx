/** Lists the organization's images to choose from, and has the parts of an upload. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Asset } from '../../client/platen-client.ts';
import { explainError } from '../wording.ts';
import type { Follow } from '../brand/swatches.tsx';
import { BrandLogos } from '../brand/choices.tsx';
import type { Service } from '../state/service.ts';
import { Popover } from '../dialog.tsx';
import { LazyImage, imageThumbnail } from './layers/thumbnails.tsx';
import { icon } from '../icons.tsx';

/** Assets per request. */
const pageSize = 100;
const thumbnailPx = 160;

/** `choose` gets the id of an asset. */
export function AssetLibrary({
  service,
  anchor,
  choose,
  follow,
  close,
}: {
  service: Service;
  anchor: HTMLElement;
  choose: (id: string) => void;
  /** Called with a chosen logo of the brand kit. */
  follow: Follow;
  close: () => void;
}): VNode {
  const [assets, setAssets] = useState<readonly Asset[]>([]);
  const [total, setTotal] = useState<number | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      const page = await service.client.listAssets({ limit: pageSize, offset: assets.length });
      setAssets([...assets, ...page.assets]);
      setTotal(page.total);
    } catch (error) {
      setProblem(explainError(error));
    }
  };
  useEffect(() => void load(), []);
  return (
    <Popover anchor={anchor} label="Images of the organization" side="beside" close={close}>
      <div class="p-library">
        {problem === undefined ? null : (
          <p class="p-problem" role="alert">
            {problem}
          </p>
        )}
        {total === 0 ? (
          <p class="p-note">No images yet. Upload one, or drop a file on the field.</p>
        ) : null}
        <div class="p-library-grid">
          <BrandLogos service={service} follow={follow} />
          {assets.map((asset) => (
            <button
              type="button"
              key={asset.id}
              class="p-asset"
              title={`${asset.width} × ${asset.height}, ${Math.ceil(asset.bytes / 1024)} KB`}
              onClick={() => choose(asset.id)}
            >
              <LazyImage
                className="p-asset-image"
                label={`Image of ${asset.created_at.slice(0, 10)}, ${asset.width} × ${asset.height}`}
                load={() => imageThumbnail(service, asset.id, thumbnailPx)}
              />
            </button>
          ))}
        </div>
        {total !== undefined && assets.length < total ? (
          <button type="button" class="p-small" onClick={() => void load()}>
            More
          </button>
        ) : null}
      </div>
    </Popover>
  );
}

// The upload button, with progress and errors.

/** An upload that runs or has failed. */
export interface UploadState {
  /** From 0 to 1; undefined if no upload runs. */
  progress: number | undefined;
  problem: string | undefined;
  /** Uploads a file. Does nothing for undefined, which a cancelled choice gives. */
  run: (file: File | undefined) => Promise<void>;
}

/** The state of one upload. `send` stores the file and uses the response; its error is shown. */
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

/** Chooses and uploads a file. `accept` is the attribute of the file field; `label` is its accessible name. */
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
          // Lets the user choose the same file again.
          input.value = '';
        }}
      />
    </label>
  );
}

/** Shows the progress or the error of an upload. */
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
