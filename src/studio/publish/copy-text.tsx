/** A piece of text with a button that copies it. */
import { useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';

/** Milliseconds that the button says that it has copied. */
const copiedMs = 1600;

interface CopyTextProps {
  /** For people: `Link`. */
  name: string;
  text: string;
}

/** Pages served without TLS from another host have no clipboard: the text is then selected, for the keyboard. */
export function CopyText({ name, text }: CopyTextProps): VNode {
  const code = useRef<HTMLElement>(null);
  const [told, setTold] = useState<string | undefined>(undefined);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setTold('Copied');
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setTold('Press Ctrl+C');
    }
    setTimeout(() => setTold(undefined), copiedMs);
  };
  return (
    <div class="copy-text">
      <div class="copy-head">
        <h3>{name}</h3>
        <button type="button" aria-label={`Copy ${name}`} onClick={() => void copy()}>
          {told ?? 'Copy'}
        </button>
      </div>
      <pre tabindex={0} aria-label={name}>
        <code ref={code}>{text}</code>
      </pre>
    </div>
  );
}
