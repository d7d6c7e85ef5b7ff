/** The first screen: asks for a key of the organization. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { signedOutBecause, signIn } from './session.ts';
import { explainError, statusOf } from './wording.ts';

/** Asks for a key until the service takes one. */
export function SignIn(): VNode {
  const key = useSignal('');
  const problem = useSignal<string | undefined>(signedOutBecause.value);
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.value) return;
    if (key.value.trim() === '') {
      problem.value = 'Paste a key of your organization.';
      return;
    }
    isBusy.value = true;
    problem.value = undefined;
    try {
      await signIn(key.value.trim());
    } catch (error) {
      const isUnknown = statusOf(error) === 401;
      problem.value = isUnknown
        ? 'The service does not know this key. Check that it was copied whole.'
        : explainError(error);
    }
    isBusy.value = false;
  };
  const isWrong = problem.value !== undefined;
  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void submit(event)} novalidate>
        <img src="pages/mark.svg" alt="" width="44" height="44" />
        <h1>Platen Studio</h1>
        <p class="soft">Design templates on the pixels that your links will show.</p>
        <div class="field">
          <label for="api-key">API key</label>
          <input
            id="api-key"
            name="api-key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            autofocus
            value={key.value}
            aria-invalid={isWrong}
            aria-describedby="api-key-help"
            onInput={(event) => {
              key.value = event.currentTarget.value;
            }}
          />
          <p
            id="api-key-help"
            class={isWrong ? 'problem' : 'soft'}
            role={isWrong ? 'alert' : undefined}
          >
            {problem.value ?? 'It stays in this tab and is sent to this service alone.'}
          </p>
        </div>
        <button type="submit" class="primary" disabled={isBusy.value}>
          {isBusy.value ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="soft small">
          Whoever runs the service makes keys: <code>platen key create</code>, or the demo key of
          its first start.
        </p>
      </form>
    </main>
  );
}
