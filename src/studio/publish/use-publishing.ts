/** Publishes the saved draft of an editor. */
import { useEffect, useState } from 'preact/hooks';
import type { Editor } from '../state/editor.ts';
import { explainFailure, notify, statusOf } from '../wording.ts';
import type { Failure } from '../wording.ts';

/** The message if a save of this editor comes before the publication. */
const overtaken =
  'You changed the draft before it was published. Look at the changes, and publish it again.';

/** False if the dialog shows why the draft is not saved, or another user's draft is in its place. */
function isSavable({ saveState }: Editor): boolean {
  return saveState.value === 'saved' || saveState.value === 'unsaved';
}

/** A publication that may run, or was refused until the document changes. */
interface Publishing {
  isBusy: boolean;
  refusal: Failure | undefined;
  publish: () => Promise<void>;
}

/** Saves and publishes with a note, and calls `onPublished` with the number of the version. */
export function usePublishing(
  editor: Editor,
  note: string,
  onPublished: (version: number) => void,
): Publishing {
  const { service, uid } = editor;
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Failure | undefined>(undefined);
  useEffect(() => setRefusal(undefined), [editor.whole.value]);
  const publish = async (): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    // A save that is under way would replace the draft before it is published.
    await editor.save();
    const cid = editor.cid.value;
    try {
      if (!isSavable(editor)) return;
      // `cid` publishes only the compared draft, not a newer draft of another user.
      const { version } = await service.client.publishTemplate(uid, note === '' ? {} : { note }, {
        cid,
      });
      editor.publishedVersion.value = version;
      onPublished(version);
    } catch (error) {
      if (statusOf(error) !== 412) return setRefusal(explainFailure(error));
      // A save of this editor may have replaced the draft.
      await editor.save();
      if (editor.cid.value === cid) editor.meetConflict();
      else notify(overtaken, { kind: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, refusal, publish };
}
