/** The studio as a whole: sign-in, gallery or editor, and the messages over all of them. */
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { EditorPage } from './editor-page.ts';
import { GalleryPage } from './gallery-page.ts';
import { NoticeList } from './notice-list.ts';
import { route } from './route.ts';
import { resumeSession, session } from './session.ts';
import { SignIn } from './sign-in.ts';
import { topDialog } from './state/open-dialogs.ts';

/** Everything that the page shows. */
export function App(): VNode {
  useEffect(() => void resumeSession(), []);
  // Those over a dialog are inside of it: nothing outside can be seen or used.
  return html`<${Screen} />${topDialog.value === undefined ? html`<${NoticeList} />` : null}`;
}

function Screen(): VNode | null {
  const current = session.value;
  if (current === undefined) return html`<main class="waiting" aria-busy="true"></main>`;
  if (current === null) return html`<${SignIn} />`;
  const shown = route.value;
  if (shown.page === 'gallery') return html`<${GalleryPage} session=${current} />`;
  return html`<${EditorPage} key=${shown.uid} service=${current.service} uid=${shown.uid} />`;
}
