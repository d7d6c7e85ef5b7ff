/** Keeps the small pictures that were drawn, as object URLs, so that what was seen once is there at once. */
import type { RenderedImage } from '../../client/platen-client.ts';

/** Pictures that are kept, of some 20 to 100 KB each. */
const picturesMax = 160;

/** Object URLs by keys that say all that a picture shows. The one used longest ago goes first. */
export class PictureCache {
  readonly #urls = new Map<string, string>();

  find(key: string): string | undefined {
    const url = this.#urls.get(key);
    if (url === undefined) return undefined;
    this.#urls.delete(key);
    this.#urls.set(key, url);
    return url;
  }

  /** Keeps a picture and returns its URL. */
  add(key: string, { bytes, contentType }: RenderedImage): string {
    const url = URL.createObjectURL(new Blob([bytes.slice()], { type: contentType }));
    this.#drop(key);
    this.#urls.set(key, url);
    const [oldest] = this.#urls.keys();
    if (this.#urls.size > picturesMax && oldest !== undefined) this.#drop(oldest);
    return url;
  }

  #drop(key: string): void {
    const url = this.#urls.get(key);
    if (url !== undefined) URL.revokeObjectURL(url);
    this.#urls.delete(key);
  }
}
