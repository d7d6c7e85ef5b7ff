/** What links with large files of their organization may use of the thread that answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createFontStore } from '../../src/store/assets/font-store.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { sampleFontFacts } from '../store/store-fixture.ts';
import { frontOffence } from './front.ts';
import { startMeasured } from './measured-service.ts';

t.setTimeout(120_000);

const lobster = '@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';

/** A sound font of 9 MiB, with a table `zzzz` that begins with `number`. */
function largeFont(number: number): Uint8Array {
  const font = readFileSync(fileURLToPath(import.meta.resolve(lobster)));
  const tables = font.readUInt16BE(4);
  const tablesEnd = 12 + 16 * tables;
  const directory = Buffer.concat([font.subarray(0, tablesEnd), Buffer.alloc(16)]);
  directory.writeUInt16BE(tables + 1, 4);
  for (let entry = 12; entry < tablesEnd; entry += 16) {
    directory.writeUInt32BE(directory.readUInt32BE(entry + 8) + 16, entry + 8);
  }
  const padding = Buffer.alloc(9 * 2 ** 20 - font.length - 16);
  padding.writeUInt32BE(number);
  directory.write('zzzz', tablesEnd);
  directory.writeUInt32BE(font.length + 16, tablesEnd + 8);
  directory.writeUInt32BE(padding.length, tablesEnd + 12);
  return Buffer.concat([directory, font.subarray(tablesEnd), padding]);
}

/** Like the law, the least of three measurements counts: garbage collections come by chance. */
const attempts = [0, 1, 2];

t.test('a link whose fonts have no copies holds the thread as briefly as any other', async (t) => {
  const folder = t.testdir();
  const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ db, publish }) => {
    const fonts = createFontStore(db, join(folder, 'unused'));
    for (const attempt of attempts) {
      const family = `Large ${attempt}`;
      for (const weight of [300, 400, 500, 600]) {
        const font = largeFont(1000 * attempt + weight);
        fonts.saveFont(testOrganization.uid, family, font, { ...sampleFontFacts, weight });
      }
      publish(`large-${attempt}`, {
        variables: [textVariable('name', '')],
        layers: [textLayer('Hello {{name}}', { fontFamily: family })],
      });
    }
  });
  const { service, read } = await startMeasured(t, dataDirectory);
  const offences: (string | undefined)[] = [];
  for (const attempt of attempts) {
    await read();
    const startedMs = performance.now();
    const { status, body, headers } = await service.render(`large-${attempt}.png?name=Amanda`);
    const waitedMs = performance.now() - startedMs;
    t.equal(status, 200);
    t.equal(headers['x-render-warnings'], undefined);
    const measured = { status, bytes: body.length, waitedMs, ...(await read()) };
    offences.push(frontOffence(measured));
  }
  t.ok(offences.includes(undefined), offences.join(', '));
});
