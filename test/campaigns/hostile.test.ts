/** Lists that attack: none reaches beyond its campaign, and what comes back is safe to open. */
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { xlsxParts, zip } from '../lists/xlsx-file.ts';
import { campaignFiles, createCampaign, key, rowsOf, waitForRun } from './campaign-client.ts';

t.setTimeout(120_000);

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const variables = [textVariable('__proto__', 'friend'), textVariable('constructor', '')];
  publish('card', { variables, layers: [textLayer('{{__proto__}} {{constructor}}')] });
});
const service = await startService(t, { dataDirectory });

async function linksOf(list: string | Buffer, query = {}): Promise<string> {
  const { body, answer } = await createCampaign(service, 'card', 'links', list, query);
  t.equal(answer.status, 202, answer.text);
  t.equal((await waitForRun(service, body.id)).state, 'finished');
  const { text } = await service.get(`/v1/campaigns/${body.id}/links.csv`, { headers: key });
  await service.get(`/v1/campaigns/${body.id}`, { method: 'DELETE', headers: key });
  return text;
}

t.test('columns with the names of object properties are columns like others', async (t) => {
  const list = '__proto__,constructor,toString\nAmanda,Ltd,x\n';
  const { body } = await createCampaign(service, 'card', 'proof', list);
  t.same(Object.entries(body.mapping), [
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ]);
  t.match(await waitForRun(service, body.id), { counts: { fine: 1 } });
  t.match(await linksOf(list), /card\.png\?__proto__=Amanda&constructor=Ltd&_version=1/);
  const map = '{"map":{"toString":"__proto__"}}';
  t.match(await linksOf(list, { options: map }), /card\.png\?__proto__=x&_version=1/);
});

t.test('formulas come back as text, in cells and in names of columns', async (t) => {
  const list = '__proto__,=cmd|A1\n"=HYPERLINK(""http://x"")",@SUM(1)\n+49 30 123,-5\n';
  const csv = await linksOf(list);
  t.notMatch(csv, /(^|,)"?[=@]/m);
  t.match(csv, `"'=HYPERLINK(""http://x"")",'@SUM(1),`);
  t.match(csv, '\n+49 30 123,-5,');
});

t.test('a quotation mark does not end the attribute of an alternative text', async (t) => {
  const csv = await linksOf('__proto__,constructor\n"Ann ""Big"" Lee",Ltd\n');
  t.match(csv, '"Ann ""Big"" Lee",Ltd,', 'cells stay as they are');
  t.match(csv, /,[^,"]*Ann ”Big” Lee[^,"]*$/m);
});

t.test('NUL bytes and control characters break nothing', async (t) => {
  const list = '__proto__,constructor\nAma\u0000nda,\u0007\u001b[31m\nWei,Ltd\n';
  const { body, answer } = await createCampaign(service, 'card', 'proof', list);
  t.ok(answer.status === 202 || answer.status === 400, answer.text);
  if (answer.status === 202) {
    t.equal((await waitForRun(service, body.id)).state, 'finished');
    for (const { problems } of await rowsOf(service, body.id)) t.ok(problems.length > 0);
    await service.get(`/v1/campaigns/${body.id}`, { method: 'DELETE', headers: key });
  }
});

t.test('bombs are refused, and nothing of them remains', async (t) => {
  const before = campaignFiles(dataDirectory);
  const sheet = 'xl/worksheets/sheet1.xml';
  const parts = xlsxParts({
    rows: '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>',
  });
  const padded = { ...parts, [sheet]: String(parts[sheet]) + ' '.repeat(64 * 1024 * 1024) };
  const cases: [status: number, message: RegExp, list: Buffer][] = [
    [413, /is compressed [\d,]+ times, at most 200 times/, zip(padded)],
    [
      413,
      /line 2 \(byte 10\) has more than 32,767 characters/,
      Buffer.from(`__proto__\n"${'x\n'.repeat(4_000_000)}`),
    ],
    [413, /line 1 \(byte 0\) has more than 32,767 characters/, Buffer.alloc(64 * 1024 * 1024, 'x')],
    [400, /./, Buffer.from('PK\u0003\u0004 and no more')],
    [400, /./, Buffer.from('%PDF-1.7')],
    [400, /./, Buffer.alloc(1000)],
  ];
  for (const [status, message, list] of cases) {
    const { answer } = await createCampaign(service, 'card', 'proof', list);
    t.equal(answer.status, status, answer.text.slice(0, 300));
    t.match(answer.text, message);
  }
  t.same(campaignFiles(dataDirectory), before);
  t.equal((await service.get('/readyz')).status, 200);
});
