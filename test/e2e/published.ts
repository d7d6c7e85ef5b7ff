/** Puts organizations and templates of a test into a data folder before the service starts on it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Layer } from '#language/schema/layers.ts';
import type { ScalarVariable, Template } from '#language/schema/template.ts';
import { readImageHeader } from '../../src/images/sniff/sniff-image.ts';
import { createAssetStore } from '../../src/store/assets/asset-store.ts';
import type { AssetStore } from '../../src/store/assets/asset-store.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import type { Database } from '../../src/store/database/database.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import type { OrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import type { TemplateStore } from '../../src/store/template-store.ts';

/** The organization of every template that a test publishes without naming another one, and its key. */
export const testOrganization = { uid: 'org_e2e', name: 'End to end', key: 'key-of-end-to-end' };

export interface Shelf {
  db: Database;
  organizations: OrganizationStore;
  templates: TemplateStore;
  assets: AssetStore;
  /** Saves and publishes a document; the missing parts are those of an empty image of 240 × 40. */
  publish: (uid: string, changes?: Partial<Template>, organizationUid?: string) => void;
  saveDraft: (uid: string, changes?: Partial<Template>, organizationUid?: string) => void;
  /** Stores an image; returns the id that documents name it by. */
  saveAsset: (bytes: Uint8Array) => string;
}

/** Fills a data folder; everything is closed again when this returns. */
export function fillDataDirectory(dataDirectory: string, fill: (shelf: Shelf) => void): string {
  mkdirSync(dataDirectory, { recursive: true });
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  const [templates, assets] = [createTemplateStore(db), createAssetStore(db)];
  const organizations = createOrganizationStore(db);
  if (organizations.findOrganization(testOrganization.uid) === undefined) {
    organizations.createOrganization(testOrganization.name, testOrganization.uid);
    organizations.createKey(testOrganization.uid, { name: 'test', key: testOrganization.key });
  }
  const saveDraft: Shelf['saveDraft'] = (uid, changes, organizationUid = testOrganization.uid) => {
    const document = testDocument(changes);
    templates.saveDraft(organizationUid, uid, document, JSON.stringify(document));
  };
  const shelf: Shelf = {
    db,
    organizations,
    templates,
    assets,
    saveDraft,
    publish: (uid, changes, organizationUid = testOrganization.uid) => {
      saveDraft(uid, changes, organizationUid);
      templates.publish(organizationUid, uid);
    },
    saveAsset: (bytes) => {
      const header = readImageHeader(bytes);
      if (header === undefined) throw new Error('This is no image.');
      return assets.saveAsset(testOrganization.uid, bytes, header);
    },
  };
  try {
    fill(shelf);
  } finally {
    templates.close();
    assets.close();
    db.close();
  }
  return dataDirectory;
}

/** A document of 240 × 40 without layers, but for `changes`. */
export function testDocument(changes: Partial<Template> = {}): Template {
  return {
    format: 1,
    name: 'Test',
    width: 240,
    height: 40,
    background: '#ffffff',
    variables: [],
    layers: [],
    ...changes,
  };
}

/** A text variable. */
export function textVariable(
  name: string,
  value: string,
  changes: Partial<ScalarVariable> = {},
): ScalarVariable {
  return { name, type: 'text', value, ...changes };
}

/** A layer that writes a text in one line of black letters; 240 × 40 from the top left corner. */
export function textLayer(text: string, changes: Partial<Layer & { type: 'text' }> = {}): Layer {
  return {
    id: 'text',
    type: 'text',
    x: 0,
    y: 0,
    width: 240,
    height: 40,
    text,
    fontFamily: 'Inter',
    fontSize: 20,
    fill: '#000000',
    overflow: 'shrink',
    minSize: 4,
    ...changes,
  };
}

/** A layer that fills its box, 40 × 40 at the right edge, with an image. */
export function imageLayer(src: string, changes: Partial<Layer & { type: 'image' }> = {}): Layer {
  return {
    id: 'image',
    type: 'image',
    x: 200,
    y: 0,
    width: 40,
    height: 40,
    src,
    fit: 'fill',
    ...changes,
  };
}
