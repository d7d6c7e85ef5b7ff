/** Fonts and logos of the brand kit, in the lists that fonts and images are chosen from. */
import type { VNode } from 'preact';
import type { Brand } from '#language/brand.ts';
import { fontThumbnail, imageThumbnail, LazyImage } from '../panels/layers/thumbnails.tsx';
import { brandOf } from '../state/brand.ts';
import type { Service } from '../state/service.ts';
import type { Follow } from './swatches.tsx';

/** Fonts of the kit whose name and family match the search. */
export function brandFonts(
  service: Service,
  isSought: (words: string) => boolean,
): readonly Brand['fonts'][number][] {
  return brandOf(service).value.fonts.filter(({ name, family }) => isSought(`${name} ${family}`));
}

/** Buttons of the matching fonts, for the top of the list of all families. */
export function BrandFonts({
  service,
  isSought,
  follow,
}: {
  service: Service;
  isSought: (words: string) => boolean;
  follow: Follow;
}): VNode | null {
  const found = brandFonts(service, isSought);
  if (found.length === 0) return null;
  return (
    <>
      <h3 class="p-font-group">Brand kit</h3>
      {found.map(({ id, name, family }) => (
        <button
          key={id}
          type="button"
          class="p-font"
          aria-label={`${name}, ${family}, of the brand kit`}
          onClick={() => follow(id, family)}
        >
          <LazyImage
            className="p-font-image"
            label={family}
            load={() => fontThumbnail(service, family, family)}
          />
          <span class="p-note">{name}</span>
        </button>
      ))}
      <h3 class="p-font-group">All fonts</h3>
    </>
  );
}

/** Longer side of a logo thumbnail, px. */
const logoPx = 160;

export function BrandLogos({ service, follow }: { service: Service; follow: Follow }): VNode {
  return (
    <>
      {brandOf(service).value.logos.map(({ id, name, src }) => (
        <button
          key={id}
          type="button"
          class="p-asset"
          title={`${name}, of the brand kit`}
          onClick={() => follow(id, src)}
        >
          <LazyImage
            className="p-asset-image"
            label={`Logo ${name}`}
            load={() => imageThumbnail(service, src, logoPx)}
          />
        </button>
      ))}
    </>
  );
}
