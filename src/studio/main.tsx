/** Starts the studio in its page. */
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.querySelector<HTMLElement>('#studio');
if (root !== null) render(<App />, root);
