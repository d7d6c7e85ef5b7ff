/** Says that a version is not rendered and why, with a button that releases it. */
import type { VNode } from 'preact';
import type { TemplateDetails } from '../../client/platen-client.ts';
import type { Editor } from '../state/editor.ts';
import { notify, notifyError } from '../wording.ts';

/** Texts for the causes that the API names. */
const reasons: Readonly<Record<string, string>> = {
  cpu: 'they computed for too long',
  stalled: 'they did not answer',
  memory: 'they ran out of memory',
  killed: 'they were killed, mostly for their memory',
  crash: 'they crashed',
};

interface QuarantineNoticeProps extends NonNullable<TemplateDetails['quarantine']> {
  editor: Editor;
  /** Called when the version is rendered again. */
  release: () => void;
}

export function QuarantineNotice(props: QuarantineNoticeProps): VNode {
  const { editor, version, reason, release } = props;
  const ask = async (): Promise<void> => {
    try {
      await editor.service.client.releaseTemplate(editor.uid);
      release();
      notify('Links are rendered again.');
    } catch (error) {
      notifyError('The template was not released', error);
    }
  };
  return (
    <div class="quarantine-bar" role="alert">
      <p>
        Version {version} is not rendered: two renders ended their process, because{' '}
        {reasons[reason] ?? 'they ended unexpectedly'}. Publish a changed version, or release this
        one.
      </p>
      <button type="button" onClick={() => void ask()}>
        Release
      </button>
    </div>
  );
}
