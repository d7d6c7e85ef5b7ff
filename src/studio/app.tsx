/** The studio as a whole: sign-in, gallery or editor, and the messages over all of them. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { EditorPage } from './editor-page.tsx';
import { GalleryPage } from './gallery-page.tsx';
import { NoticeList } from './notice-list.tsx';
import { route } from './route.ts';
import { resumeSession, session } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { topDialog } from './state/open-dialogs.ts';

/** Everything that the page shows. */
export function App(): VNode {
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
