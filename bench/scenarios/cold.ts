/** The first picture: of a process that was just started, and of a template that nobody has asked for before. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImageHeader } from '../../src/images/sniff-image.ts';
import { createAssetStore } from '../../src/templates/asset-store.ts';
import { openDatabase } from '../../src/templates/database.ts';
import { publishDirectory } from '../../src/templates/publish.ts';
import { createTemplateStore } from '../../src/templates/template-store.ts';
import { checkPicture } from '../harness/check-picture.ts';
import { runChild, temporaryFolder } from '../harness/children.ts';
import { median } from '../harness/compare-rounds.ts';
import { formatNumber } from '../harness/format-number.ts';
import { ask, spawnService, startService } from '../harness/service.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

const roundsOf: Record<Effort, number> = { quick: 2, normal: 7, long: 9 };
const templatesOf: Record<Effort, number> = { quick: 3, normal: 12, long: 20 };

const samples = join(import.meta.dirname, '../../data/templates');
const claim = { format: 'jpeg', width: 1200, height: 630 } as const;
const link = '/v1/render/welcome-banner?name=Amanda';
/** Milliseconds between two tries to reach a service that starts. */
const pauseMs = 5;

export const cold: Scenario = {
  name: 'cold',
  words: ['start', 'first'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const usedFolder = join(temporaryFolder(), 'data');
    await (await startService({ dataDirectory: usedFolder })).close();
    const starts: Record<'used' | 'empty' | 'bare', number[]> = { used: [], empty: [], bare: [] };
    for (let round = 0; round < roundsOf[effort]; round += 1) {
      starts.used.push(await secondsToFirstImage(usedFolder));
      starts.empty.push(await secondsToFirstImage(undefined));
      starts.bare.push(await secondsOfBareStart());
    }
    const bare = median(starts.bare);
    const describe = (seconds: readonly number[]): string =>
      `from the start of the process to the last byte, ${spreadOf(seconds)} s; ` +
      `${formatNumber(median(seconds) / bare)} times \`node -e 0\` (${formatNumber(bare)} s)`;
    return {
      measurements: [
        { budget: 'cold-start', reached: median(starts.used), how: describe(starts.used) },
        { budget: 'first-start', reached: median(starts.empty), how: describe(starts.empty) },
        await measureColdTemplates(templatesOf[effort], bare),
      ],
    };
  },
};

async function secondsToFirstImage(dataDirectory: string | undefined): Promise<number> {
  const service = await spawnService(dataDirectory === undefined ? {} : { dataDirectory });
  const picture = await ask(service, link, pauseMs);
  const seconds = (performance.now() - service.startedMs) / 1000;
  await checkPicture('The service', picture, claim);
  await service.close();
  return seconds;
}

async function secondsOfBareStart(): Promise<number> {
  const startedMs = performance.now();
  await runChild(process.execPath, ['-e', '0']);
  return (performance.now() - startedMs) / 1000;
}

/** Asks once for each of several templates, when the service has been ready for a while. */
async function measureColdTemplates(count: number, bareSeconds: number): Promise<Measurement> {
  const dataDirectory = join(temporaryFolder(), 'data');
  await (await startService({ dataDirectory })).close();
  const uids = publishCopies(dataDirectory, count);
  const service = await startService({ dataDirectory });
  const firstImages: number[] = [];
  const secondImages: number[] = [];
  for (const uid of uids) {
    for (const times of [firstImages, secondImages]) {
      const startedMs = performance.now();
      const name = times === firstImages ? 'Amanda' : 'Benjamin';
      const picture = await ask(service, `/v1/render/${uid}?name=${name}`, pauseMs);
      times.push(performance.now() - startedMs);
      await checkPicture(uid, picture, claim);
    }
  }
  await service.close();
  return {
    budget: 'cold-template',
    reached: median(firstImages),
    how:
      `${count} copies of \`welcome-banner\`, ${spreadOf(firstImages)} ms, the second image of each ${formatNumber(median(secondImages))} ms; ` +
      `${formatNumber(median(firstImages) / 1000 / bareSeconds)} times \`node -e 0\``,
  };
}

/** Publishes copies of a sample that differ in their names, so that no cache takes one for another. */
function publishCopies(dataDirectory: string, count: number): string[] {
  const directory = temporaryFolder();
  cpSync(join(samples, 'pictures'), join(directory, 'pictures'), { recursive: true });
  const document = JSON.parse(readFileSync(join(samples, 'welcome-banner.json'), 'utf8'));
  const uids = Array.from({ length: count }, (_, index) => `copy-${index}`);
  for (const uid of uids) {
    writeFileSync(join(directory, `${uid}.json`), JSON.stringify({ ...document, name: uid }));
  }
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  const templates = createTemplateStore(db);
  const assets = createAssetStore(db);
  publishDirectory({
    db,
    templates,
    assets,
    organizationUid: 'org_demo',
    directory,
    readHeader: readImageHeader,
  });
  templates.close();
  assets.close();
  db.close();
  return uids;
}

function spreadOf(numbers: readonly number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `median of ${numbers.length}, ${formatNumber(low)} to ${formatNumber(high)}`;
}
