/** Tools that use published templates: links for one reader, and a proof of a list of readers. */
import { Type } from 'typebox';
import { setTimeout as wait } from 'node:timers/promises';
import { formatNames } from '#language/formats.ts';
import { uidSchemaPattern } from '#language/uid.ts';
import type { PlatenClient } from '../client/platen-client.ts';
import { ArgumentError, json, tool } from './tool.ts';
import { uid, values } from './template-tools.ts';

/** Upper bound of the characters of a list in a call; larger lists are uploaded in the studio or by a command. */
const listBytesMax = 256 * 1024;
/** Time in ms that one call waits for a proof: clients time out after a minute. */
const proofWaitMs = 20_000;
const proofPollMs = 200;
/** Upper bound of the faulty rows in an answer. */
const faultyRowsMax = 20;
/** Distinguishes the campaigns of agents, which are deleted after their proof, from those of people. */
const agentCampaignName = 'Proof of an agent';

const publishedAdvice =
  'Call list_templates: those with the state live or changed are published. Publish a draft with publish_template.';

const renderLink = tool(
  {
    name: 'render_link',
    title: 'Make a link',
    description:
      'Renders a published template with values, and returns the link of the image, its size, its alternative text and warnings. The link is signed where the template asks for it.',
    schema: Type.Object(
      {
        uid,
        values,
        format: Type.Optional(
          Type.Enum([...formatNames], {
            description:
              "the extension of the link, which some email services expect; default: none, in the template's format",
          }),
        ),
        scale: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 3, description: 'device pixels a design pixel' }),
        ),
      },
      { additionalProperties: false },
    ),
    isReadOnly: true,
    notFoundAdvice: () => publishedAdvice,
  },
  async ({ uid: of, values: given = {}, format, scale }, { client, publicLink }) => {
    const options = {
      ...(format === undefined ? {} : { format }),
      ...(scale === undefined ? {} : { scale }),
    };
    const link = await client.renderJson(of, {
      values: given as Record<string, unknown>,
      ...options,
      response: 'url',
    });
    return [json({ ...link, url: publicLink(link.url) })];
  },
);

const proveList = tool(
  {
    name: 'prove_list',
    title: 'Prove a list',
    description:
      'Lays out a published template for every row of a list, and reports rows whose text is cut, whose values are missing, whose images fail and more. Give the list as CSV with a header row, or the id of a proof that was not finished. The service deletes the list after its proof.',
    schema: Type.Object(
      {
        uid: Type.Optional(uid),
        list: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: listBytesMax,
            description: 'CSV; its columns are found by the names of the variables',
          }),
        ),
        campaign: Type.Optional(
          // Excludes empty ids and dots, which change the path of a call.
          Type.String({
            pattern: uidSchemaPattern,
            description: 'id of a proof that was not finished',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    isReadOnly: false,
    notFoundAdvice: ({ campaign }) =>
      campaign === undefined
        ? publishedAdvice
        : 'Call prove_list with uid and list: a proof is deleted when it has been reported.',
  },
  async (input, { client }) => {
    let id = input.campaign;
    if (id === undefined) {
      if (input.uid === undefined || input.list === undefined) {
        throw new ArgumentError('Give uid and list, or the id of a campaign.');
      }
      const created = await client.request('POST /v1/campaigns', {
        query: { template: input.uid, mode: 'proof', name: agentCampaignName },
        bytes: new Blob([input.list], { type: 'text/csv' }),
      });
      id = created.id;
    }
    return [json(await waitForProof(client, id))];
  },
);

/** Returns the report of a proof and deletes its campaign when the run has ended; after `proofWaitMs`, its progress. */
async function waitForProof(client: PlatenClient, id: string): Promise<object> {
  const endMs = performance.now() + proofWaitMs;
  const path = { id };
  let campaign = await client.request('GET /v1/campaigns/{id}', { path });
  while (isUnderWay(campaign) && performance.now() < endMs) {
    await wait(proofPollMs);
    campaign = await client.request('GET /v1/campaigns/{id}', { path });
  }
  const { state, done, rows, counts, error, list, name } = campaign;
  const report = { state, done, rows, list, counts, error };
  if (isUnderWay(campaign)) {
    return { ...report, campaign: id, next: 'call prove_list with this campaign' };
  }
  const faultyRows = state === 'finished' ? await readFaultyRows(client, id) : [];
  // Rows of the campaign are personal data, and an organization has a limited number of campaigns.
  if (name === agentCampaignName) await client.request('DELETE /v1/campaigns/{id}', { path });
  return { ...report, faulty_rows: faultyRows };
}

function isUnderWay({ state }: { state: string }): boolean {
  return state === 'queued' || state === 'running';
}

async function readFaultyRows(client: PlatenClient, id: string): Promise<unknown[]> {
  const { body } = await client.requestFile('GET /v1/campaigns/{id}/rows', {
    path: { id },
    query: { limit: faultyRowsMax },
  });
  const text = await new Response(body).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as unknown);
}

export const useTools = [renderLink, proveList];
