/** Uploads a font, draws with it and deletes it, again and again: neither disk nor memory may keep it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from './tally.ts';
import { count } from './tally.ts';

const pauseMs = 500;
const fontFile = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf'),
);

/** Runs until `endMs`. A service that is being followed by another may refuse any of it; the next round tries again. */
export async function churnFonts(
  { port, key }: { port: number; key: string },
  endMs: number,
  tally: Tally,
): Promise<void> {
  const font = new Uint8Array(readFileSync(fontFile));
  const call = async (
    kind: string,
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<unknown> => {
    const startedMs = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'X-API-Key': key },
      ...(body === undefined ? {} : { body }),
    });
    const bytes = await answer.arrayBuffer();
    count(tally, kind, answer.status, performance.now() - startedMs);
    return answer.headers.get('content-type')?.includes('json') === true
      ? (JSON.parse(Buffer.from(bytes).toString()) as unknown)
      : undefined;
  };
  for (let index = 0; performance.now() < endMs; index += 1) {
    const family = `Soak ${index}`;
    try {
      const added = (await call(
        'fontUpload',
        'POST',
        `/v1/fonts?family=${encodeURIComponent(family)}`,
        font,
      )) as { id?: string } | undefined;
      await call('fontPreview', 'POST', '/v1/preview', previewOf(family));
      if (added?.id !== undefined) await call('fontDelete', 'DELETE', `/v1/fonts/${added.id}`);
    } catch {
      // The connection was reset while one process followed another.
      tally.resets += 1;
    }
    await sleep(pauseMs);
  }
}

function previewOf(fontFamily: string): string {
  const layer = {
    id: 'a',
    type: 'text',
    x: 0,
    y: 0,
    width: 290,
    height: 90,
    text: 'Abc',
    fontSize: 40,
    fontFamily,
  };
  const template = {
    format: 1,
    name: fontFamily,
    width: 300,
    height: 100,
    variables: [],
    layers: [layer],
  };
  return JSON.stringify({ template, values: {} });
}
