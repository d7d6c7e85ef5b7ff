/** Says that the published version is not rendered any more, why, and offers to render it again. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { TemplateDetails } from '../client/platen-client.ts';
import type { Editor } from './state/editor.ts';
import { notify, notifyError } from './state/notices.ts';

/** Readable words for the causes that the API names. */
const reasons: Readonly<Record<string, string>> = {
  cpu: 'they computed for too long',
  stalled: 'they did not answer',
  memory: 'they ran out of memory',
  killed: 'they were killed, mostly for their memory',
  crash: 'they crashed',
};

/** Nothing while links are rendered; asked again whenever a version is published. */
export function QuarantineBar({ editor }: { editor: Editor }): VNode | null {
  const { client } = editor.service;
  const quarantine = useSignal<TemplateDetails['quarantine']>(null);
  const published = editor.publishedVersion.value;
  useEffect(() => {
    const load = async (): Promise<void> => {
      const details = await client.getTemplate(editor.uid);
      quarantine.value = details.quarantine;
    };
    // The editor shows by itself that the service does not answer.
    load().catch(() => undefined);
  }, [published]);
  const release = async (): Promise<void> => {
    try {
      await client.releaseTemplate(editor.uid);
      quarantine.value = null;
      notify('Links are rendered again.');
    } catch (error) {
      notifyError('The template was not released', error);
    }
  };
  const state = quarantine.value;
  if (state === null) return null;
  const reason = reasons[state.reason] ?? 'they ended unexpectedly';
  return (
    <div class="quarantine-bar" role="alert">
      <p>
        Version {state.version} is not rendered: two renders ended their process, because {reason}.
        Publish a changed version, or release this one.
      </p>
      <button type="button" onClick={() => void release()}>
        Release
      </button>
    </div>
  );
}
