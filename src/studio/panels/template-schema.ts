/** Loads the template language's schema, from which the inspector is built. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { SchemaNode } from './fields/schema-node.ts';

const schema = signal<SchemaNode | undefined>(undefined);
let asked = false;

/** Returns the schema, undefined until it is loaded. The first call loads it; a call after a failure loads it again. */
export function templateSchema(): ReadonlySignal<SchemaNode | undefined> {
  if (!asked) {
    asked = true;
    void load();
  }
  return schema;
}

async function load(): Promise<void> {
  try {
    // The file is in the folder of the script and has its revision: a browser caches it forever.
    const response = await fetch(new URL('template.schema.json', import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    schema.value = (await response.json()) as SchemaNode;
  } catch {
    // The next call loads the schema again.
    asked = false;
  }
}
