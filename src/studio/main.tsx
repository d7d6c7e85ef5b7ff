/** Starts the studio in its page: sign-in, gallery or editor, with the notices above them. */
import { render } from 'preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { EditorPage } from './editor-page.tsx';
import { GalleryPage } from './gallery/gallery.tsx';
import { NoticeList, topDialog } from './dialog.tsx';
import { route, resumeSession, session, SignIn } from './session.tsx';

const root = document.querySelector<HTMLElement>('#studio');
if (root !== null) render(<App />, root);

/** Everything that the page shows. */
function App(): VNode {
  useEffect(() => void resumeSession(), []);
  // Those over a dialog are inside of it: nothing outside can be seen or used.
  return (
    <>
      <Screen />
      {topDialog.value === undefined ? <NoticeList /> : null}
    </>
  );
}

function Screen(): VNode | null {
  const current = session.value;
  if (current === undefined) return <main class="waiting" aria-busy="true" />;
  if (current === null) return <SignIn />;
  const shown = route.value;
  if (shown.page === 'gallery') return <GalleryPage session={current} />;
  return <EditorPage key={shown.uid} service={current.service} uid={shown.uid} />;
}
