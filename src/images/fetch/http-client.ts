/** The HTTP client and its connections, loaded with the first fetch: 110 modules, 60 ms that a start does not need. */
import type * as Undici from 'undici';

/** undici, and the one agent whose connections the fetches of a loader share. */
export interface HttpClient {
  undici: typeof Undici;
  agent: Undici.Agent;
}

/** A client that is loaded when it is first asked for. */
export interface LazyHttpClient {
  load(): Promise<HttpClient>;
  /** Ends all connections; what is being waited for rejects. */
  close(): Promise<void>;
}

/** Creates a client with connections of its own. */
export function createHttpClient(options: Undici.Agent.Options): LazyHttpClient {
  let client: Promise<HttpClient> | undefined;
  return {
    load: () => (client ??= loadClient(options)),
    close: async () => (await client)?.agent.destroy(),
  };
}

async function loadClient(options: Undici.Agent.Options): Promise<HttpClient> {
  const undici = await import('undici');
  return { undici, agent: new undici.Agent(options) };
}
