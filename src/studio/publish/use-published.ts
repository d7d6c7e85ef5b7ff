/** Reads the published document of a template that is open in the editor. */
import { useEffect, useState } from 'preact/hooks';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { explainError } from '../wording.ts';

/** Returns the document that links render: null without one, undefined while it is being loaded. */
export function usePublished(editor: Editor): { published?: Template | null; problem?: string } {
  const version = editor.publishedVersion.value;
  const [state, setState] = useState<{ published?: Template | null; problem?: string }>({});
  useEffect(() => {
    if (version === null) {
      setState({ published: null });
      return undefined;
    }
    const running = new AbortController();
    setState({});
    editor.service.client.getTemplateDocument(editor.uid, { version }, running).then(
      (document) => setState({ published: document as unknown as Template }),
      (error: unknown) => {
        if (!running.signal.aborted) setState({ problem: explainError(error) });
      },
    );
    return () => running.abort();
  }, [version]);
  return state;
}
