/** Campaigns: how fast lists are proved, and what live links notice of it. */
import {
  campaignCpu,
  deleteCampaign,
  startCampaign,
  uniqueList,
  waitForRows,
} from '../harness/campaign.ts';
import type { CampaignCpu } from '../harness/campaign.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { sendFlood } from '../harness/flood.ts';
import { formatNumber } from '../harness/format-number.ts';
import type { Service } from '../harness/service.ts';
import { startService, waitUntilWarm } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';
import type { Sample } from '../harness/values.ts';
import { samples } from '../harness/values.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

const threadCount = 2;

/** Rows of each list of the proof. */
const proofRowsOf: Record<Effort, number> = { quick: 1000, normal: 10_000 };

/** Rows before the clock starts: the processes have started, and know the template. */
const warmUpRows = 300;

const textTemplates: readonly Sample[] = ['quote', 'event-ticket', 'welcome-banner'];

export const proofRate: Scenario = {
  name: 'campaign-proof',
  words: ['campaigns', 'proof'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ threadCount });
    await waitUntilWarm(service);
    const parts: { template: Sample; perSecond: number; how: string }[] = [];
    for (const template of textTemplates) {
      parts.push({ template, ...(await measureProof(service, template, proofRowsOf[effort])) });
    }
    await service.close();
    const reached = Math.min(...parts.map(({ perSecond }) => perSecond));
    const how = parts.map(({ template, how: each }) => `${template} ${each}`).join('; ');
    return { measurements: [{ budget: 'proof-rate', reached, how: `rows/s: ${how}` }] };
  },
};

async function measureProof(
  service: Service,
  template: Sample,
  rows: number,
): Promise<{ perSecond: number; how: string }> {
  const { id } = await startCampaign(service, template, uniqueList(template, warmUpRows + rows));
  const from = await waitForRows(service, id, warmUpRows);
  const [startedMs, before] = [performance.now(), campaignCpu(service)];
  const to = await waitForRows(service, id, warmUpRows + rows - 1);
  const [seconds, cpu] = [(performance.now() - startedMs) / 1000, campaignCpu(service)];
  await deleteCampaign(service, id);
  const proved = to.done - from.done;
  const perRow = (part: keyof CampaignCpu): string =>
    formatNumber((cpu[part] - before[part]) / proved);
  const perSecond = proved / seconds;
  const how = `${formatNumber(perSecond)}, CPU time of a row ${perRow('thread')} ms in the thread and ${perRow('processes')} ms in the render hosts`;
  return { perSecond, how };
}

/** Live links a second of unique names: a part of what the service can draw. */
const livePerSecond = 60;
const liveSecondsOf: Record<Effort, number> = { quick: 3, normal: 15 };
const roundsOf: Record<Effort, number> = { quick: 1, normal: 7 };
/** More than a round proves. */
const liveListRows = 100_000;

export const liveBeside: Scenario = {
  name: 'campaign-live',
  words: ['campaigns', 'fairness'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ threadCount });
    await waitUntilWarm(service);
    const list = uniqueList('event-ticket', liveListRows);
    let from = 500_000;
    const p50s: [beside: number[], alone: number[]] = [[], []];
    const measure = async (side: 0 | 1): Promise<number> => {
      const links = { templates: samples, extension: '', from };
      from += 10_000;
      const seconds = liveSecondsOf[effort];
      const answers = await sendFlood({
        base: service.base,
        perSecond: livePerSecond,
        seconds,
        links,
      });
      const { p50 = Number.NaN, p99 = Number.NaN } = answers.byStatus[200] ?? {};
      p50s[side].push(p50);
      return p99;
    };
    await measure(1);
    const rounds = await compareRounds(
      roundsOf[effort],
      async () => {
        const { id } = await startCampaign(service, 'event-ticket', list);
        await waitForRows(service, id, warmUpRows);
        const p99 = await measure(0);
        await deleteCampaign(service, id);
        return p99;
      },
      () => measure(1),
    );
    await service.close();
    const measurement: Measurement = {
      budget: 'campaign-p99',
      reached: rounds.ratio,
      how:
        `p99 ${formatNumber(rounds.subject)} ms beside a proof, ${formatNumber(rounds.peer)} ms without; p50 ${formatNumber(median(p50s[0]))} and ${formatNumber(median(p50s[1]))} ms; ` +
        `${rounds.rounds} rounds in turn, ratios ${formatNumber(rounds.low)} to ${formatNumber(rounds.high)}; ${livePerSecond} links/s of the six samples`,
    };
    return { measurements: [measurement] };
  },
};
