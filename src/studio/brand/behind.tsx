/** Lists templates with outdated values of the brand kit, and applies the kit to all of them. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countOf } from '../gallery/many-templates.ts';
import type { Service } from '../state/service.ts';
import { explainError, notify } from '../wording.ts';

interface BehindTemplate {
  uid: string;
  name: string;
  published: boolean;
}

/** Reads all pages of the list. Rejects like the client. */
async function listBehind({ client }: Service): Promise<BehindTemplate[]> {
  const found: BehindTemplate[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page: { templates: BehindTemplate[]; next: string | null } = await client.request(
      'GET /v1/brand/behind',
      { query: { after } },
    );
    found.push(...page.templates);
    after = page.next;
  }
  return found;
}

/** Section of outdated templates. The page mounts it when the kit is saved, which loads the list. */
export function Behind({ service }: { service: Service }): VNode {
  const [templates, setTemplates] = useState<readonly BehindTemplate[] | undefined>(undefined);
  const [done, setDone] = useState<number | undefined>(undefined);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const load = async (): Promise<void> => {
    try {
      setTemplates(await listBehind(service));
    } catch (error) {
      setProblems([explainError(error)]);
    }
  };
  useEffect(() => void load(), [service]);
  const applyAll = async (all: readonly BehindTemplate[]): Promise<void> => {
    const failed: string[] = [];
    for (const [index, { uid, name }] of all.entries()) {
      setDone(index);
      try {
        await service.client.request('POST /v1/templates/{uid}/brand', { path: { uid } });
      } catch (error) {
        failed.push(`${name}: ${explainError(error)}`);
      }
    }
    setDone(undefined);
    setProblems(failed);
    notify(`Applied the kit to ${countOf(all.length - failed.length)}.`);
    await load();
  };
  return (
    <section class="campaign-card" aria-labelledby="brand-behind">
      <h2 id="brand-behind">Templates that follow the kit</h2>
      {templates === undefined ? null : templates.length === 0 ? (
        <p class="soft">All of them have its values.</p>
      ) : (
        <>
          <p>
            {countOf(templates.length)} to bring up to the kit: {namesOf(templates)}. Published ones
            are published again, without what else waits in their drafts. Links with a version show
            what they showed.
          </p>
          <p>
            <button
              type="button"
              class="primary"
              disabled={done !== undefined}
              onClick={() => void applyAll(templates)}
            >
              {done === undefined
                ? `Apply to ${countOf(templates.length)}`
                : `Applying ${done + 1} of ${templates.length} …`}
            </button>
          </p>
        </>
      )}
      {problems.map((problem) => (
        <p key={problem} class="problem" role="alert">
          {problem}
        </p>
      ))}
    </section>
  );
}

/** Maximum number of template names in the sentence. */
const namesMax = 5;

function namesOf(templates: readonly BehindTemplate[]): string {
  const names = templates.slice(0, namesMax).map(({ name }) => name);
  const more = templates.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
