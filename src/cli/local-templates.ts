/** Templates in the database of this machine; a service that runs sees each change at once. */
import { checkTemplate } from '#shared/template.ts';
import { readImageHeader } from '../images/sniff-image.ts';
import { createAssetStore } from '../templates/asset-store.ts';
import { StoreError } from '../templates/store-error.ts';
import { createTemplateStore, pageTemplatesMax } from '../templates/template-store.ts';
import type { TemplateSummary } from '../templates/template-details.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { chooseOrganization, openLocalDatabase } from './local-database.ts';
import type { TemplateHome } from './template-home.ts';
import { LostRaceError } from './template-home.ts';

/** Opens the templates of the organization of that uid or name; the caller closes them. Throws as `openLocalDatabase` does. */
export function openLocalTemplates(wantedOrganization: string | undefined): TemplateHome {
  const local = openLocalDatabase({ mayCreate: false });
  try {
    const { uid: organizationUid, name } = chooseOrganization(
      local.organizations,
      wantedOrganization,
    );
    const templates = createTemplateStore(local.db);
    const { cache, templates: limits } = local.config;
    const assets = createAssetStore(local.db, cache.assetsBytesMax, limits.storageBytesMax);
    return {
      name: `${name} (${organizationUid}) in ${local.path}`,
      list: () => Promise.resolve(listAll(templates, organizationUid)),
      read(uid) {
        const draft = templates.findDocument(organizationUid, uid);
        const details = templates.findDetails(organizationUid, uid);
        if (draft === undefined || details === undefined) return Promise.resolve(undefined);
        const document: unknown = JSON.parse(draft.documentJson);
        return Promise.resolve({ cid: draft.cid, version: details.version, document });
      },
      publishedCid(uid) {
        const [newest] = templates.listVersions(organizationUid, uid, 1)?.versions ?? [];
        return Promise.resolve(newest?.cid);
      },
      readAsset(id) {
        const image = assets.findAsset(organizationUid, id);
        if (image !== undefined) return Promise.resolve(image.bytes);
        throw new CommandError(exitCodes.problems, `The organization has no ${id}.`);
      },
      saveAsset(bytes) {
        const header = readImageHeader(bytes);
        if (header === undefined) throw new StoreError('INVALID', 'The file is no image.');
        return Promise.resolve(assets.saveAsset(organizationUid, bytes, header));
      },
      save(uid, documentJson, knownCid) {
        return Promise.resolve(saveDraft(templates, organizationUid, uid, documentJson, knownCid));
      },
      publish(uid, note) {
        const version = templates.publish(organizationUid, uid, { note });
        if (version !== undefined) return Promise.resolve(version);
        throw new CommandError(exitCodes.problems, `${organizationUid} has no template ${uid}.`);
      },
      close() {
        templates.close();
        assets.close();
        local.close();
      },
    };
  } catch (error) {
    local.close();
    throw error;
  }
}

type Templates = ReturnType<typeof createTemplateStore>;

function listAll(templates: Templates, organizationUid: string): TemplateSummary[] {
  const all: TemplateSummary[] = [];
  for (;;) {
    const page = templates.listTemplates(organizationUid, pageTemplatesMax, all.length);
    all.push(...page.templates);
    if (page.templates.length === 0 || all.length >= page.total) return all;
  }
}

function saveDraft(
  templates: Templates,
  organizationUid: string,
  uid: string,
  documentJson: string,
  knownCid: string | undefined,
): { cid: string } {
  const checked = checkTemplate(JSON.parse(documentJson));
  if (!checked.ok) {
    const lines = checked.problems.map(({ path, message }) => `${uid}.json: ${path} ${message}`);
    throw new StoreError('INVALID', lines.join('\n'));
  }
  const { template } = checked;
  if (knownCid === undefined) {
    return templates.createDraft(organizationUid, uid, template, documentJson);
  }
  try {
    const ifMatch = [knownCid];
    const saved = templates.updateDraft(organizationUid, uid, template, documentJson, { ifMatch });
    if (saved !== undefined) return saved;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'CHANGED') throw error;
  }
  throw new LostRaceError(uid);
}
