/** Puts together what the studio's page loads: its script, its style, and the template language. */
import { createHash } from 'node:crypto';
import { documentSchema } from '#language/schema/document.ts';
import { loadBrowserCode } from './browser-code.ts';

/** The studio as one revision of all its files. */
export interface StudioFiles {
  /** Changes with any of them. */
  revision: string;
  /** Texts by their names below the revision. */
  files: ReadonlyMap<string, string>;
}

export const studioScript = 'studio.js';
export const studioStyle = 'studio.css';
/** Its panels are made from it. */
const studioSchema = 'template.schema.json';

/** Loads the studio's files. */
export async function loadStudioFiles(): Promise<StudioFiles> {
  const code = await loadBrowserCode();
  const files = new Map(
    [studioScript, studioStyle].map((name) => [name, code.get(`studio/${name}`) ?? '']),
  );
  files.set(studioSchema, JSON.stringify(documentSchema()));
  const hash = createHash('sha256');
  for (const [name, text] of files) hash.update(name).update('\0').update(text).update('\0');
  return { revision: hash.digest('base64url').slice(0, 16), files };
}
