/** Shows and calls parts of `later.tsx`, which is loaded with its styles when the first of them is needed. */
import type { ComponentType, VNode } from 'preact';
import { laterCalls } from './later-calls.ts';
import { Dialog } from './dialog.tsx';
import { arranger } from './state/arrangement/arranger.ts';
import { loadStyle, NotLoaded, useCode } from './lazy-code.tsx';
import { notifyError } from './wording.ts';

type LaterCode = typeof import('./later.tsx');

/** The code of `later.tsx`, after it and its styles are loaded. */
let loaded: LaterCode | undefined;

/** Loads `later.tsx` and its styles, once. */
export async function loadLater(): Promise<LaterCode> {
  const [code] = await Promise.all([import('./later.tsx'), loadStyle('later.css')]);
  arranger.code = code;
  loaded = code;
  return code;
}

/**
 * Calls `run` with the code of `later.tsx`, and notifies of a failure to load it. Loaded code runs at once: the next key
 * of fast hands acts after it.
 */
export function runLater(run: (code: LaterCode) => unknown): void {
  if (loaded !== undefined) {
    run(loaded);
    return;
  }
  loadLater().then(run, (error: unknown) => notifyError('A part of the studio is missing', error));
}

laterCalls.run = runLater;

/**
 * Wraps a component of `later.tsx`. The wrapper renders null until the code and styles are loaded; afterwards the part is
 * there at once, so that it gets the keys of fast hands.
 */
export function later<Props extends object>(
  choose: (code: LaterCode) => ComponentType<Props>,
): (props: Props) => VNode | null {
  return (props) => {
    const code = useCode(loadLater, loaded);
    if (code === undefined || code === 'failed') return null;
    const Part = choose(code);
    return <Part {...props} />;
  };
}

/** As `later`, for a dialog. Without the code, a dialog with this `title` offers to load the page again. */
export function laterDialog<Props extends { close: () => void }>(
  title: string,
  choose: (code: LaterCode) => ComponentType<Props>,
): (props: Props) => VNode | null {
  return (props) => {
    const code = useCode(loadLater, loaded);
    if (code === undefined) return null;
    if (code === 'failed') {
      return (
        <Dialog title={title} close={props.close}>
          <NotLoaded />
        </Dialog>
      );
    }
    const Part = choose(code);
    return <Part {...props} />;
  };
}
