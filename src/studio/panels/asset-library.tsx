/** The pictures that the organization has uploaded, to choose from. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Asset } from '../../client/platen-client.ts';
import { explainError } from '../state/explain-error.ts';
import type { Service } from '../state/service.ts';
import { Popover } from './popover.tsx';
import { LazyPicture } from './layers/thumbnail-view.tsx';
import { imageThumbnail } from './layers/thumbnails.ts';

/** Assets that one request gives. */
const pageSize = 100;
const thumbnailPx = 160;

/** `choose` gets the id of an asset. */
export function AssetLibrary({
  service,
  anchor,
  choose,
  close,
}: {
  service: Service;
  anchor: HTMLElement;
  choose: (id: string) => void;
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
    <Popover anchor={anchor} label="Pictures of the organization" side="beside" close={close}>
      <div class="p-library">
        {problem === undefined ? null : (
          <p class="p-problem" role="alert">
            {problem}
          </p>
        )}
        {total === 0 ? (
          <p class="p-note">No pictures yet. Upload one, or drop a file on the field.</p>
        ) : null}
        <div class="p-library-grid">
          {assets.map((asset) => (
            <button
              type="button"
              key={asset.id}
              class="p-asset"
              title={`${asset.width} × ${asset.height}, ${Math.ceil(asset.bytes / 1024)} KB`}
              onClick={() => choose(asset.id)}
            >
              <LazyPicture
                className="p-asset-picture"
                label={`Picture of ${asset.created_at.slice(0, 10)}, ${asset.width} × ${asset.height}`}
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
