/** Starts the studio in its page. */
import { html, render } from 'htm/preact';
import { App } from './app.ts';

const root = document.querySelector<HTMLElement>('#studio');
if (root !== null) render(html`<${App} />`, root);
