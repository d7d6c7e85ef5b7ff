/** Uploads a font, draws with it and deletes it, again and again: neither disk nor memory may keep it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../e2e/request.ts';
import type { Answer, RequestOptions } from '../e2e/request.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';
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
  const font = readFileSync(fontFile);
  const call = async (kind: string, path: string, options: RequestOptions): Promise<Answer> => {
    const startedMs = performance.now();
    const headers = { 'X-API-Key': key };
    const answer = await request(port, path, { headers, agent: false, ...options });
    count(tally, kind, answer.status, performance.now() - startedMs);
    return answer;
  };
  for (let index = 0; performance.now() < endMs; index += 1) {
    const family = `Soak ${index}`;
    const path = `/v1/fonts?family=${encodeURIComponent(family)}`;
    try {
      const added = await call('fontUpload', path, { method: 'POST', body: font });
      const { id } = added.json() as { id?: string };
      await call('fontPreview', '/v1/preview', { method: 'POST', body: previewOf(family) });
      if (id !== undefined) await call('fontDelete', `/v1/fonts/${id}`, { method: 'DELETE' });
    } catch {
      // The connection was reset while one process followed another.
      tally.resets += 1;
    }
    await sleep(pauseMs);
  }
}

function previewOf(fontFamily: string): string {
  const text = { width: 290, height: 90, text: 'Abc', fontSize: 40, fontFamily };
  const template = aTemplate({ width: 300, height: 100, layers: [aLayer('text', text)] });
  return JSON.stringify({ template, values: {} });
}
