/** What the threads of lists, tables, fonts and campaigns may use, whatever is sent to them. */
import t from 'tap';
import type { Test } from 'tap';
import { testOrganization } from '../e2e/published.ts';
import { extent } from '../helpers/extent.ts';
import { createCampaign, remove, waitForRun } from '../mailings/campaigns/campaign-client.ts';
import { frontCases } from './front-documents.ts';
import type { FrontCase } from './front-documents.ts';
import { hostileCases } from './front-hostile.ts';
import { startFrontTrial, uidOf } from './front.ts';
import type { FrontTrial } from './front.ts';
import type { ThreadUse } from './measured-service.ts';
import { contextFont, expandingFont, hostileFonts } from './hostile-fonts.ts';
import { generatedLists, hostileLists, importMsMax, threadLaw } from './threads.ts';

t.setTimeout(extent(600_000, 3_600_000));

const seed = 20_261_130;
const isFull = extent(0, 1) === 1;
const listBytes = extent(300_000, 60_000_000);
const headers = { 'X-API-Key': testOrganization.key };
const json = { ...headers, 'content-type': 'application/json' };
const cases = [...hostileCases.slice(0, extent(2, 5)), ...frontCases(extent(0, 40), seed)];

/** What the thread `program` used for `work`; the least of up to three measurements of work that breaks the law. */
async function measure(
  { takeThreads }: FrontTrial,
  program: ThreadUse['program'],
  isLawful: (use: ThreadUse) => boolean,
  work: () => Promise<void>,
): Promise<ThreadUse> {
  let least: ThreadUse | undefined;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    takeThreads();
    await work();
    const use = takeThreads().find((each) => each.program === program);
    if (use === undefined) throw new Error(`The thread of ${program} did nothing.`);
    if (least === undefined || use.cpuMs + use.turnMs < least.cpuMs + least.turnMs) least = use;
    if (isLawful(least)) break;
  }
  return least as ThreadUse;
}

/** The most expensive row: as many characters as a row may have, in columns of which the template uses one. */
function wideRows(count: number): string {
  const names = Array.from({ length: 190 }, (_, index) => `c${index}`);
  const cells = names.map(() => 'ẞ'.repeat(1300)).join(',');
  return [
    `id,${names.join(',')}`,
    ...Array.from({ length: count }, (_, row) => `${row},${cells}`),
  ].join('\n');
}

/** A list whose rows have the values of a case, and each another text. */
function rowsOf({ document, values }: FrontCase, count: number): string {
  const text = document.variables.find(({ type }) => type === 'text');
  const items =
    values['items'] === undefined ? {} : { items: JSON.parse(values['items']) as unknown };
  const rows = Array.from({ length: count }, (_, row) => {
    const changed = text && { [text.name]: `${row} ${values[text.name] ?? ''}` };
    return JSON.stringify({ ...values, ...items, ...changed });
  });
  return rows.join('\n');
}

t.test('threads take no longer than the law says', async (t) => {
  const trial = await startFrontTrial(t, cases);
  await t.test('an import of a list or of a table', (t) => imports(t, trial));
  await t.test('a change of rows of a table', (t) => changes(t, trial));
  await t.test('an inspection of a font', (t) => fonts(t, trial));
  await t.test('a turn of the thread of campaigns', (t) => campaigns(t, trial));
});

async function imports(t: Test, trial: FrontTrial): Promise<void> {
  const lists = [...hostileLists(listBytes), ...generatedLists(extent(3, 60), seed, listBytes)];
  for (const [index, list] of lists.entries()) {
    const { name, contentType, body } = list;
    const send = (method: string, path: string) =>
      trial.service.get(path, {
        method,
        headers: { ...headers, 'content-type': contentType },
        body,
      });
    // Both threads have one reader of lists.
    const isLists = index % 2 === 0;
    if (isLists || isFull) {
      await holds('lists', () => send('POST', '/v1/campaigns?template=case-0-0&mode=links'));
    }
    if (!isLists || isFull) await holds('tables', () => send('PUT', '/v1/tables/sent?key=c0'));

    async function holds(program: 'lists' | 'tables', work: () => ReturnType<typeof send>) {
      let status = 0;
      const mostMs = importMsMax(list);
      const use = await measure(
        trial,
        program,
        ({ cpuMs }) => cpuMs <= mostMs,
        async () => {
          const answer = await work();
          status = answer.status;
          if (status === 202) await remove(trial.service, (answer.json() as { id: string }).id);
        },
      );
      const what = `${program}, ${name}: ${status}, ${use.cpuMs.toFixed(0)} ms of ${mostMs.toFixed(0)}`;
      t.ok(use.cpuMs <= mostMs && status < 500, what);
    }
  }
}

async function changes(t: Test, { service, ...trial }: FrontTrial): Promise<void> {
  const count = extent(100, 1000);
  const cells = 'x'.repeat(7900);
  const list = Array.from({ length: count }, (_, row) => `${row},${cells},${cells},1\n`);
  const csv = { ...headers, 'content-type': 'text/csv' };
  const body = `id,a,b,c\n${list.join('')}`;
  const put = await service.get('/v1/tables/wide?key=id', { method: 'PUT', headers: csv, body });
  t.equal(put.status, 201, put.text);
  const rows = Array.from({ length: count }, (_, row) => ({ id: String(row), c: '2' }));
  const use = await measure({ service, ...trial }, 'tables', isShort, async () => {
    const patch = { method: 'PATCH', headers: json, body: JSON.stringify({ rows }) };
    const { status, text } = await service.get('/v1/tables/wide', patch);
    t.equal(status, 200, text);
  });
  t.ok(isShort(use), `${count} rows: ${use.turnMs.toFixed(0)} ms in one turn`);
  function isShort({ turnMs }: ThreadUse): boolean {
    return turnMs <= threadLaw.changeMs;
  }
}

async function fonts(t: Test, trial: FrontTrial): Promise<void> {
  const growing = Array.from({ length: 100 }, (_, index) => expandingFont(index + 1, 50));
  const files = [
    ...hostileFonts.values(),
    contextFont('endless'),
    ...growing.slice(-extent(1, 100)),
  ];
  for (const [index, body] of files.entries()) {
    const isLawful = ({ cpuMs }: ThreadUse): boolean => cpuMs <= threadLaw.fontMs;
    let status = 0;
    const use = await measure(trial, 'fonts', isLawful, async () => {
      const sent = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'font/ttf' },
        body: Buffer.from(body),
      };
      ({ status } = await trial.service.get('/v1/fonts', sent));
    });
    t.ok(isLawful(use) && status < 500, `font ${index}: ${status}, ${use.cpuMs.toFixed(0)} ms`);
  }
}

async function campaigns(t: Test, trial: FrontTrial): Promise<void> {
  const { service } = trial;
  const modes = isFull ? ['links', 'proof', 'warm', 'files'] : ['links'];
  const count = extent(100, 200);
  const lists = cases.map((each) => rowsOf(each, count));
  const { startMs, rowMs, turnMs, mebibyteMs } = threadLaw.campaign;
  // The first run starts the thread.
  await run('links', 0, rowsOf(hostileCases[0] as FrontCase, 1));
  for (const [index, list] of [...lists.entries(), [0, wideRows(extent(10, 200))] as const]) {
    for (const mode of modes) {
      const cpuMsMax = startMs + rowMs * count + (mebibyteMs * list.length) / 2 ** 20;
      const isLawful = (use: ThreadUse): boolean => use.turnMs <= turnMs && use.cpuMs <= cpuMsMax;
      const use = await measure(trial, 'campaigns', isLawful, () => run(mode, index, list));
      const { cpuMs } = use;
      const what = `${mode} of case ${index}, ${(list.length / 2 ** 20).toFixed(1)} MiB`;
      t.ok(
        isLawful(use),
        `${what}: turn ${use.turnMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms in all`,
      );
    }
  }

  async function run(mode: string, index: number, list: string): Promise<void> {
    const { status, body, answer } = await createCampaign(service, uidOf(index, 0), mode, list);
    if (status !== 202) throw new Error(answer.text);
    await waitForRun(service, body.id);
    await remove(service, body.id);
  }
}
