/** `platen campaign list`, `show` and `delete`. */
import { exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { convertErrors } from '../service-client.ts';
import { table } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';
import { openRunningService } from '../running-service.ts';
import type { ServiceOptions } from '../running-service.ts';

/** Page size above the maximum number of campaigns of an organization. */
const campaignsMax = 100;

/**
 * Lists the campaigns, newest first. JSON:
 * `{"campaigns":[{"id","name","template","rows","created_at","expires_at"}],"total"}`.
 */
export async function listCampaigns(
  options: ServiceOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  const { campaigns, total } = await convertErrors(() =>
    client.request('GET /v1/campaigns', { query: { limit: campaignsMax } }),
  );
  const rows = campaigns.map(({ id, name, template, rows: count, expires_at }) => [
    id,
    template,
    String(count),
    expires_at,
    name,
  ]);
  terminal.result({ campaigns, total }, table(['id', 'template', 'rows', 'ends', 'name'], rows));
  return exitCodes.ok;
}

/** Shows a campaign. JSON: the campaign as `GET /v1/campaigns/{id}` answers it. */
export async function showCampaign(
  id: string,
  options: ServiceOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  const campaign = await convertErrors(() =>
    client.request('GET /v1/campaigns/{id}', { path: { id } }),
  );
  const runs = campaign.runs.map(({ mode, state, done, counts }) => [
    mode,
    state,
    `${done}/${campaign.rows}`,
    typeof counts['verdict'] === 'string' ? counts['verdict'] : '',
  ]);
  const head = `${campaign.name}: ${campaign.template}, ${campaign.rows} rows, until ${campaign.expires_at}`;
  terminal.result(campaign, `${head}\n${table(['run', 'state', 'rows', 'verdict'], runs)}`);
  return exitCodes.ok;
}

/** Deletes campaigns in the order of the arguments. JSON: `{"deleted":["id"]}`. */
export async function deleteCampaigns(
  ids: readonly string[],
  options: ServiceOptions & { shortLinks?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  const query = { short_links: options.shortLinks === true };
  for (const id of ids) {
    await convertErrors(() => client.request('DELETE /v1/campaigns/{id}', { path: { id }, query }));
    terminal.note(`${id}  deleted`);
  }
  terminal.result({ deleted: ids }, '');
  return exitCodes.ok;
}
