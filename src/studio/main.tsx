/** Starts the studio in its page: sign-in, gallery or editor, with the notices above them. */
import { render } from 'preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { EditorPage } from './editor-page.tsx';
import { GalleryPage } from './gallery/gallery.tsx';
import { NoticeList, topDialog } from './dialog.tsx';
import { laterDialog } from './later-part.tsx';
import { loadStyle, NotLoaded, useCode } from './lazy-code.tsx';
import { searchLabel } from './shortcuts.ts';
import { isAppleKeyboard, matchesKeys } from './wording.ts';
import { isEmbedded, route, resumeSession, session, SignIn } from './session.tsx';
import type { Route, Session } from './session.tsx';

const root = document.querySelector<HTMLElement>('#studio');
if (root !== null) render(<App />, root);

function App(): VNode {
  useEffect(() => {
    if (!isEmbedded) void resumeSession();
  }, []);
  // An open dialog contains the notices itself, because nothing outside it can be seen or used.
  return (
    <>
      {isEmbedded ? <Embedded /> : <Screen />}
      <Commands />
      {topDialog.value === undefined ? <NoticeList /> : null}
    </>
  );
}

/** Opens the command palette on Mod+K. */
function Commands(): VNode | null {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!matchesKeys(event, 'Mod+K', isAppleKeyboard())) return;
      event.preventDefault();
      // The palette does not open over another dialog.
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    globalThis.addEventListener('keydown', press);
    return () => globalThis.removeEventListener('keydown', press);
  }, []);
  const current = session.value;
  if (!isOpen || current === undefined || current === null) return null;
  return <Palette session={current} close={() => setOpen(false)} />;
}

const Palette = laterDialog(searchLabel, (code) => code.Palette);

/** A function declaration, because it is called before the constants of this file are set. */
function loadEmbedded(): Promise<typeof import('./embed.tsx')> {
  return import('./embed.tsx');
}

function Embedded(): VNode {
  const code = useCode(loadEmbedded);
  if (code === undefined) return <main class="waiting" aria-busy="true" />;
  return code === 'failed' ? <FailedPage /> : <code.EmbeddedStudio />;
}

function FailedPage(): VNode {
  return (
    <main class="failed">
      <h1>This page was not loaded</h1>
      <NotLoaded />
    </main>
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
  if (shown.page === 'brand') return <Brand session={current} />;
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
  route: Exclude<Route, { page: 'gallery' | 'editor' | 'brand' }>;
}): VNode {
  const code = useCode(loadCampaigns);
  if (code === undefined || code === 'failed') return <NoPage code={code} />;
  return <code.CampaignScreen {...props} />;
}

async function loadBrandPage(): Promise<typeof import('./brand/brand-page.tsx')> {
  const [code] = await Promise.all([import('./brand/brand-page.tsx'), loadStyle('campaign.css')]);
  return code;
}

function Brand(props: { session: Session }): VNode {
  const code = useCode(loadBrandPage);
  if (code === undefined || code === 'failed') return <NoPage code={code} />;
  return <code.BrandPage {...props} />;
}

function NoPage({ code }: { code: 'failed' | undefined }): VNode {
  return code === 'failed' ? <FailedPage /> : <main class="waiting" aria-busy="true" />;
}
