/** The service that the studio belongs to, as its modules reach it. */
import type { PlatenClient } from '../../client/platen-client.ts';

export interface Service {
  /** With the key of whoever has signed in. */
  client: PlatenClient;
  /** Fetches a path of the service, from `/` on, with the key. Rejects like `fetch`. */
  load(path: string, init?: RequestInit): Promise<Response>;
  /** The service's address without a slash at the end, for links that others will open. */
  base: string;
}
