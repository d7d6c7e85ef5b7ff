/** Starts campaigns of a running service, and reads what they cost: their thread and their render hosts. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from './names.ts';
import { callApi } from './publish.ts';
import type { Service } from './service.ts';
import { demoApiKey } from './service.ts';
import type { Sample } from './values.ts';
import { changedText } from './values.ts';

/** Progress of a run. */
export interface CampaignState {
  id: string;
  state: 'queued' | 'running' | 'finished' | 'failed' | 'canceled';
  done: number;
  rows: number;
  counts: Record<string, unknown>;
  error: string | null;
}

/** A list with an address and a full name in each row, no two alike. */
export function uniqueList(template: Sample, rows: number, from = 0): string {
  const lines = Array.from(
    { length: rows },
    (_, index) => `person${from + index}@example.com,"${nameOf(from + index)}"`,
  );
  return `email,${changedText[template]}\n${lines.join('\n')}\n`;
}

/** Uploads a list and starts a run. */
export async function startCampaign(
  service: Service,
  template: string,
  list: string,
  mode = 'proof',
): Promise<CampaignState> {
  const answer = await fetch(`${service.base}/v1/campaigns?template=${template}&mode=${mode}`, {
    method: 'POST',
    headers: { 'X-API-Key': demoApiKey, 'Content-Type': 'text/csv' },
    body: list,
  });
  if (!answer.ok)
    throw new Error(`The upload was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as CampaignState;
}

export async function readCampaign(service: Service, id: string): Promise<CampaignState> {
  return (await callApi(service, demoApiKey, 'GET', `/v1/campaigns/${id}`)) as CampaignState;
}

export async function deleteCampaign(service: Service, id: string): Promise<void> {
  await callApi(service, demoApiKey, 'DELETE', `/v1/campaigns/${id}`);
}

/** A row in which a proof has found problems. */
interface FaultyRow {
  row: number;
  problems: { code: string }[];
}

/** All rows with problems. */
export async function readFaultyRows(service: Service, id: string): Promise<FaultyRow[]> {
  const answer = await fetch(`${service.base}/v1/campaigns/${id}/rows`, {
    headers: { 'X-API-Key': demoApiKey },
  });
  const lines = (await answer.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as FaultyRow);
}

/** Resolves when `rows` are done. Rejects for a run that ends without success. */
export async function waitForRows(
  service: Service,
  id: string,
  rows: number,
): Promise<CampaignState> {
  for (;;) {
    const campaign = await readCampaign(service, id);
    if (campaign.state === 'failed') throw new Error(`The campaign failed: ${campaign.error}`);
    if (campaign.done >= rows || campaign.state === 'finished') return campaign;
    await sleep(50);
  }
}

/** CPU time so far, ms. */
export interface CampaignCpu {
  thread: number;
  processes: number;
}

/** The priority that campaigns give themselves. */
const niceness = 19;

/** The threads of a service's campaigns, found by their priority, and their render hosts. */
export function campaignCpu({ pid }: Service): CampaignCpu {
  const cpu: CampaignCpu = { thread: 0, processes: 0 };
  for (const each of [pid, ...campaignProcesses()]) {
    for (const task of readdirSync(`/proc/${each}/task`)) {
      if (nicenessOf(`${each}/task/${task}`) !== niceness) continue;
      const [ranNs] = readFileSync(`/proc/${each}/task/${task}/schedstat`, 'latin1').split(' ');
      cpu[each === pid ? 'thread' : 'processes'] += Number(ranNs) / 1e6;
    }
  }
  return cpu;
}

/** The render hosts of campaigns, found by their argument: the system has adopted them. */
export function campaignProcesses(): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      return command.includes(`"niceness":${niceness}`) && !command.startsWith('/bin/sh');
    } catch {
      return false;
    }
  });
}

/** Memory of a process, shared pages divided among their users (PSS, proc_pid_smaps(5)), bytes; 0 for one that has ended. */
export function proportionalBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Field 19 of proc_pid_stat(5). */
function nicenessOf(path: string): number {
  try {
    const text = readFileSync(`/proc/${path}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
  } catch {
    return 0;
  }
}
