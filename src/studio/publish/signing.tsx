/** Signs links of a template that accepts only signed links. The page never sends the key. */
import { useEffect, useState, useRef } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { signRenderUrl } from '../../client/platen-client.ts';
import type { SigningKeyList } from '../../client/platen-client.ts';
import { explainError, fullTime, keysText } from '../wording.ts';
import type { Service } from '../state/service.ts';

/** Signing keys of a template at most, so that one can be replaced without breaking links. */
const keysMax = 2;

/** Validity of a link in days, to choose from; 0 for no end. */
const validDays = [0, 1, 7, 30, 365] as const;

const dayMs = 86_400_000;

export interface SigningProps {
  service: Service;
  uid: string;
  /** The link without a signature. */
  link: string;
  /** Called with the signed link, or undefined without a key. */
  onSigned: (link: string | undefined) => void;
}

/** Creates, deletes and accepts signing keys, and signs the link with one. */
export function Signing({ service, uid, link, onSigned }: SigningProps): VNode {
  const [key, setKey] = useState('');
  const [days, setDays] = useState(0);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    const sign = async (): Promise<string | undefined> =>
      key === '' ? undefined : signRenderUrl(withEnd(link, days), key);
    const finish = (signed: string | undefined, failure?: string): void => {
      if (!isWanted) return;
      setProblem(failure);
      onSigned(signed);
    };
    sign().then(finish, (error: unknown) => finish(undefined, explainError(error)));
    return () => {
      isWanted = false;
    };
  }, [link, key, days]);
  return (
    <section class="signing">
      <h3>Signature</h3>
      <p class="soft">
        This template answers signed links only. Sign here with one of its keys, or in a program
        with <code>signedRenderUrl</code> of the client.
      </p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <SigningKeys service={service} uid={uid} onKey={setKey} />
      <div class="signing-fields">
        <label>
          Signing key
          <input
            type="password"
            autocomplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value.trim())}
          />
        </label>
        <label>
          The link is good
          <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {validDays.map((count) => (
              <option value={count}>{daysText(count)}</option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}

interface SigningKeysProps extends Pick<SigningProps, 'service' | 'uid'> {
  /** Called with a new key. */
  onKey: (key: string) => void;
}

/** Lists the signing keys. A new key is shown once. */
function SigningKeys({ service: { client }, uid, onKey }: SigningKeysProps): VNode {
  const [keys, setKeys] = useState<SigningKeyList['signing_keys'] | undefined>(undefined);
  const [fresh, setFresh] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const attempt = async (call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
      setKeys((await client.listSigningKeys(uid)).signing_keys);
      setProblem(undefined);
    } catch (error) {
      setProblem(explainError(error));
    }
  };
  useEffect(() => void attempt(() => Promise.resolve()), [uid]);
  const create = async (): Promise<void> => {
    const { key } = await client.createSigningKey(uid);
    setFresh(key);
    onKey(key);
  };
  return (
    <>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ul class="signing-keys">
        {keys?.map(({ id, prefix, created_at: createdAt }) => (
          <li key={id}>
            <code>{prefix}…</code> <span class="soft">{fullTime(createdAt)}</span>
            <button
              type="button"
              aria-label={`Delete the key ${prefix}…`}
              onClick={() => void attempt(() => client.deleteSigningKey(uid, id))}
            >
              Delete
            </button>
          </li>
        ))}
        {keys !== undefined && keys.length < keysMax && (
          <li>
            <button type="button" onClick={() => void attempt(create)}>
              Make a signing key
            </button>
          </li>
        )}
      </ul>
      {fresh !== undefined && <CopyText name="New signing key, shown this once" text={fresh} />}
    </>
  );
}

function daysText(days: number): string {
  if (days === 0) return 'for ever';
  return days === 1 ? 'for a day' : `for ${days} days`;
}

/** Adds the end of validity, which the signature covers, rounded up to the hour so that the link stays stable. */
function withEnd(link: string, days: number): string {
  if (days === 0) return link;
  const hourMs = 3_600_000;
  const endMs = Math.ceil((Date.now() + days * dayMs) / hourMs) * hourMs;
  return `${link}${link.includes('?') ? '&' : '?'}_expires=${endMs / 1000}`;
}

// A text with a copy button.

/** Time for which the button shows its notice, in ms. */
const copiedMs = 1600;

interface CopyTextProps {
  /** The name that is shown, such as `Link`. */
  name: string;
  text: string;
  /** Lines that are reserved for the text; a longer one scrolls. Default: the height follows the text. */
  lines?: number;
  /** Id of the text that says why the text must not be copied now; undefined if it may be. */
  offBecause?: string | undefined;
  /** More actions, after the copy button. */
  children?: ComponentChildren;
}

/** A text with a copy button. Without TLS there may be no clipboard; the text is then selected for the keyboard. */
export function CopyText({ name, text, lines, offBecause, children }: CopyTextProps): VNode {
  const isOff = offBecause !== undefined;
  const code = useRef<HTMLElement>(null);
  const [notice, setNotice] = useState<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const copy = async (): Promise<void> => {
    if (isOff) return;
    try {
      await navigator.clipboard.writeText(text);
      setNotice('Copied');
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setNotice(`Press ${keysText('Mod+C')}`);
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setNotice(undefined), copiedMs);
  };
  return (
    <div
      class="copy-text"
      data-old={isOff}
      style={lines === undefined ? undefined : { '--lines': lines }}
    >
      <div class="copy-head">
        <h3>{name}</h3>
        <button
          type="button"
          aria-label={notice ?? `Copy ${name}`}
          aria-disabled={isOff}
          aria-describedby={offBecause}
          onClick={() => void copy()}
        >
          {notice ?? 'Copy'}
        </button>
        {children}
      </div>
      <pre tabindex={0} aria-label={name}>
        <code ref={code}>{text}</code>
      </pre>
    </div>
  );
}
