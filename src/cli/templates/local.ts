/** Templates in the database of this machine. A running service sees each change immediately. */
import { checkTemplate } from '#language/template.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';
import { createAssetStore } from '../../store/assets/asset-store.ts';
import { openNodeFiles } from '../../store/assets/node-files.ts';
import { candidateTemplate } from '../../store/published-cache.ts';
import { createLostRenderStore } from '../../store/lost-render-store.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { parseStoredDocument } from '../../store/template-document.ts';
import { StoreError, whenFree } from '../../store/database/store-error.ts';
import { createTemplateStore, pageTemplatesMax } from '../../store/template-store.ts';
import type { TemplateSummary } from '../../store/template-details.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { chooseOrganization, openLocalDatabase } from '../local-database.ts';
import { drawSvg, isSvg } from '../render/svg-images.ts';
import type { TemplateHome } from './home.ts';
import { LostRaceError } from './home.ts';

/**
 * Opens the templates of the organization with this uid or name. The caller closes them. Throws the errors of
 * `openLocalDatabase`.
 */
export async function openLocalTemplates(
  wantedOrganization: string | undefined,
): Promise<TemplateHome> {
  const local = await openLocalDatabase({ mayCreate: false });
  try {
    const { uid: organizationUid, name } = chooseOrganization(
      local.organizations,
      wantedOrganization,
    );
    const { cache, templates: limits } = local.config;
    const { storageBytesMax } = limits;
    const templates = createTemplateStore(local.db, undefined, undefined, storageBytesMax);
    const nodeFiles = local.shared && openNodeFiles(limits, local.shared.files);
    const assets = createAssetStore(local.db, cache.assetsBytesMax, storageBytesMax, nodeFiles);
    return {
      name: `${name} (${organizationUid}) in ${local.path}`,
      list: (which) => Promise.resolve(listAll(templates, organizationUid, which)),
      read(uid) {
        const draft = templates.findDocument(organizationUid, uid);
        const details = templates.findDetails(organizationUid, uid);
        if (draft === undefined || details === undefined) return Promise.resolve(undefined);
        const document: unknown = JSON.parse(draft.documentJson);
        const access = templates.findAccess(organizationUid, uid);
        return Promise.resolve({ cid: draft.cid, version: details.version, document, access });
      },
      async readAsset(id) {
        // Reads the uploaded file, not the drawing of an SVG.
        const file = await assets.findFile(organizationUid, id);
        if (file !== undefined) return file.bytes;
        throw new CommandError(exitCodes.problems, `The organization has no ${id}.`);
      },
      save(uid, documentJson, knownCid) {
        return saveDraft(templates, organizationUid, uid, documentJson, knownCid);
      },
      release(uid) {
        if (!templates.hasTemplate(organizationUid, uid)) return missing(organizationUid, uid);
        createLostRenderStore(local.db).release(organizationUid, uid);
        return Promise.resolve();
      },
      ...publication(templates, assets, organizationUid),
      async close() {
        templates.close();
        assets.close();
        await local.close();
      },
    };
  } catch (error) {
    await local.close();
    throw error;
  }
}

type Templates = ReturnType<typeof createTemplateStore>;
type Assets = ReturnType<typeof createAssetStore>;

/** The methods for versions and images. */
function publication(
  templates: Templates,
  assets: Assets,
  organizationUid: string,
): Pick<
  TemplateHome,
  | 'versionCids'
  | 'readPublished'
  | 'saveAsset'
  | 'findUndrawable'
  | 'publish'
  | 'archive'
  | 'restore'
> {
  return {
    versionCids(uid) {
      const versions = templates.listVersions(organizationUid, uid)?.versions ?? [];
      return Promise.resolve(versions.map(({ cid }) => cid));
    },
    readPublished(uid, version) {
      const found = templates.findDocument(organizationUid, uid, version);
      return Promise.resolve(found && (JSON.parse(found.documentJson) as unknown));
    },
    async saveAsset(bytes) {
      if (isSvg(bytes)) {
        const drawing = await drawSvg(bytes, 'The image');
        return whenFree(() => assets.saveAsset(organizationUid, bytes, drawing, drawing.bytes));
      }
      const header = readImageHeader(bytes);
      if (header === undefined) throw new StoreError('INVALID', 'The file is no image.');
      return whenFree(() => assets.saveAsset(organizationUid, bytes, header));
    },
    async findUndrawable(uids) {
      const drafts = uids.flatMap((uid) => draftOf(templates, organizationUid, uid) ?? []);
      // Loaded here, because a renderer loads most of the service's code.
      const { findUndrawable } = await import('../render/offline-renderer.ts');
      return findUndrawable(drafts, (owner, id) => assets.findAsset(owner, id));
    },
    async publish(uid, cid, note) {
      const published = await lostRace(uid, () =>
        templates.publish(organizationUid, uid, { note, ifMatch: [cid] }),
      );
      return published ?? missing(organizationUid, uid);
    },
    async archive(uid) {
      const isArchived = await whenFree(() => templates.archive(organizationUid, uid));
      if (!isArchived) missing(organizationUid, uid);
    },
    async restore(uid) {
      const restored = await whenFree(() => templates.restore(organizationUid, uid));
      if (restored === undefined) missing(organizationUid, uid);
    },
  };
}

function missing(organizationUid: string, uid: string): never {
  throw new CommandError(exitCodes.problems, `${organizationUid} has no template ${uid}.`);
}

/** Runs `change`. Rejects with a `LostRaceError` if the draft has changed. */
async function lostRace<Result>(uid: string, change: () => Result): Promise<Result> {
  try {
    return await whenFree(change);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'CHANGED') throw new LostRaceError(uid);
    throw error;
  }
}

/** The draft in the form of a published template; undefined for an unknown template. */
function draftOf(
  templates: Templates,
  organizationUid: string,
  uid: string,
): PublishedTemplate | undefined {
  const draft = templates.findDocument(organizationUid, uid);
  if (draft === undefined) return undefined;
  const { cid, documentJson } = draft;
  const document = parseStoredDocument(uid, 'draft', cid, documentJson);
  const fonts = templates.findFonts(organizationUid, document);
  return candidateTemplate({ uid, organizationUid, document, documentJson, fonts });
}

function listAll(
  templates: Templates,
  organizationUid: string,
  which?: { archived: boolean },
): TemplateSummary[] {
  const all: TemplateSummary[] = [];
  for (;;) {
    const page = templates.listTemplates(organizationUid, pageTemplatesMax, all.length, which);
    all.push(...page.templates);
    if (page.templates.length === 0 || all.length >= page.total) return all;
  }
}

async function saveDraft(
  templates: Templates,
  organizationUid: string,
  uid: string,
  documentJson: string,
  knownCid: string | undefined,
): Promise<{ cid: string }> {
  const checked = checkTemplate(JSON.parse(documentJson));
  if (!checked.ok) {
    const lines = checked.problems.map(({ path, message }) => `${uid}.json: ${path} ${message}`);
    throw new StoreError('INVALID', lines.join('\n'));
  }
  const { template } = checked;
  if (knownCid === undefined) {
    return whenFree(() => templates.createDraft(organizationUid, uid, template, documentJson));
  }
  const ifMatch = [knownCid];
  const saved = await lostRace(uid, () =>
    templates.updateDraft(organizationUid, uid, template, documentJson, { ifMatch }),
  );
  if (saved !== undefined) return saved;
  throw new LostRaceError(uid);
}
