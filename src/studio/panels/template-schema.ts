/** The template language's schema, which the inspector is made from. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { SchemaNode } from './fields/schema-node.ts';

const schema = signal<SchemaNode | undefined>(undefined);
let asked = false;

/** Asks for it once, at the first call; undefined until it is there, and while the service does not answer. */
export function templateSchema(): ReadonlySignal<SchemaNode | undefined> {
  if (!asked) {
    asked = true;
    void load();
  }
  return schema;
}

async function load(): Promise<void> {
  try {
    // Beside the script, of the same revision: a browser keeps it for ever.
    const response = await fetch(new URL('template.schema.json', import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    schema.value = (await response.json()) as SchemaNode;
  } catch {
    // The next panel that is shown asks again.
    asked = false;
  }
}
