/** Starts the studio in its page: sign-in, gallery or editor, with the notices above them. */
import { render } from 'preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { EditorPage } from './editor-page.tsx';
import { GalleryPage } from './gallery/gallery.tsx';
import { NoticeList, topDialog } from './dialog.tsx';
import { loadStyle, NotLoaded, useCode } from './lazy-code.tsx';
import { route, resumeSession, session, SignIn } from './session.tsx';
import type { Route, Session } from './session.tsx';

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
  if (shown.page === 'editor') {
    return <EditorPage key={shown.uid} service={current.service} uid={shown.uid} />;
  }
  return <Campaigns session={current} route={shown} />;
}

async function loadCampaigns(): Promise<typeof import('./campaign/campaign-screen.tsx')> {
  const [code] = await Promise.all([
    import('./campaign/campaign-screen.tsx'),
    loadStyle('campaign.css'),
  ]);
  return code;
}

function Campaigns(props: {
  session: Session;
  route: Exclude<Route, { page: 'gallery' | 'editor' }>;
}): VNode {
  const code = useCode(loadCampaigns);
  if (code === undefined) return <main class="waiting" aria-busy="true" />;
  if (code !== 'failed') return <code.CampaignScreen {...props} />;
  return (
    <main class="failed">
      <h1>This page was not loaded</h1>
      <NotLoaded />
    </main>
  );
}
