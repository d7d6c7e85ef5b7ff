/** Starts the server that the service is compared with, in a process of its own as the service is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endChild, startChild, temporaryFolder } from './children.ts';
import { fetchAnswer } from './fetch-answer.ts';

/** Starts `bench/programs/bare-server`, which sends `bytes` as `/image`. Throws if it sends anything else. */
export async function startBareServer(
  bytes: Uint8Array,
): Promise<{ base: string; close: () => Promise<void> }> {
  const file = join(temporaryFolder(), 'image.jpg');
  writeFileSync(file, bytes);
  const child = startChild(process.execPath, ['bench/programs/bare-server.ts', file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', (code) => reject(new Error(`The bare server ended with ${code}.`)));
  });
  const base = `http://127.0.0.1:${port}`;
  const sent = await fetchAnswer(`${base}/image`);
  if (!Buffer.from(bytes).equals(sent.bytes)) throw new Error('The bare server sends other bytes.');
  return { base, close: () => endChild(child) };
}
