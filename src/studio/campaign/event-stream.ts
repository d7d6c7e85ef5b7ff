/** Reads server-sent events with a key in a header, which `EventSource` cannot send. */
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';

/** The data of each event, as JSON. Rejects like the client; ends when the stream does. */
export async function* readEvents<Data>(
  service: Service,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Data> {
  const response = await loadFile(service, path, { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) return;
    const events = (rest + read.value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'));
      // Comments keep the stream open, and have no data.
      if (lines.length === 0) continue;
      yield JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n')) as Data;
    }
  }
}
