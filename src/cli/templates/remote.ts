/** Templates of a service over HTTP, with the API client. */
import { createHash } from 'node:crypto';
import { PlatenClient, PlatenError } from '../../client/platen-client.ts';
import type { TemplateSummary } from '../../store/template-details.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import {
  convertErrors,
  parseServiceAddress,
  requireApiKey,
  toCommandError,
} from '../service-client.ts';
import type { TemplateHome } from './home.ts';
import { LostRaceError } from './home.ts';

/**
 * The templates of the service at an address. Throws a `CommandError` for an invalid address, or without
 * `PLATEN_API_KEY`.
 */
export function openRemoteTemplates(address: string): TemplateHome {
  const url = parseServiceAddress(address);
  return createRemoteTemplates(new PlatenClient({ baseUrl: url, apiKey: requireApiKey() }), url);
}

function createRemoteTemplates(client: PlatenClient, name: string): TemplateHome {
  return {
    name,
    list: (which) =>
      convertErrors(async () => {
        const all: TemplateSummary[] = [];
        for await (const template of client.eachTemplate(which)) all.push(template);
        return all;
      }),
    async read(uid) {
      try {
        // In this order, a change between the requests is detected as a lost race and never overwritten.
        const { cid, version, access } = await client.getTemplate(uid);
        return { cid, version, document: await client.getTemplateDocument(uid), access };
      } catch (error) {
        if (error instanceof PlatenError && error.status === 404) return undefined;
        throw toCommandError(error);
      }
    },
    versionCids: (uid) =>
      convertErrors(async () =>
        (await client.listTemplateVersions(uid)).versions.map(({ cid }) => cid),
      ),
    readPublished: (uid, version) =>
      convertErrors(() => client.getTemplateDocument(uid, { version })),
    readAsset: (id) =>
      convertErrors(async () => {
        const { bytes } = await client.getAsset(id);
        if (`asset:${createHash('sha256').update(bytes).digest('hex')}` === id) return bytes;
        throw new CommandError(exitCodes.unavailable, `${name} answered other bytes than ${id}.`);
      }),
    saveAsset: (bytes) =>
      convertErrors(async () => (await client.uploadAsset(new Uint8Array(bytes))).id),
    async save(uid, documentJson, knownCid) {
      const document = JSON.parse(documentJson) as Parameters<PlatenClient['createTemplate']>[0];
      try {
        return knownCid === undefined
          ? await client.createTemplate(document, { uid })
          : await client.updateTemplate(uid, document, { cid: knownCid });
      } catch (error) {
        if (error instanceof PlatenError && error.status === 412) throw new LostRaceError(uid);
        throw toCommandError(error);
      }
    },
    findUndrawable: () => Promise.resolve(new Map()),
    async publish(uid, cid, note) {
      try {
        return await client.publishTemplate(uid, note === undefined ? {} : { note }, { cid });
      } catch (error) {
        if (error instanceof PlatenError && error.status === 412) throw new LostRaceError(uid);
        throw toCommandError(error);
      }
    },
    archive: (uid) => convertErrors(() => client.archiveTemplate(uid)),
    restore: (uid) =>
      convertErrors(async () => {
        await client.restoreTemplate(uid);
      }),
    release: (uid) => convertErrors(() => client.releaseTemplate(uid)),
    close: () => Promise.resolve(),
  };
}
