/** Who may open the links of a template, and what links may choose: the same for all versions. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { TemplateAccess } from '../../../client/platen-client.ts';
import type { Editor } from '../../state/editor.ts';
import { explainError } from '../../wording.ts';

const readers: Readonly<Record<TemplateAccess['linkAuth'], string>> = {
  open: 'Anyone who has a link',
  signed: 'Anyone who has a signed link',
  key: 'Programs with an API key',
};

const optionNames: Readonly<Record<TemplateAccess['linkOptions'][number], string>> = {
  format: 'Format',
  scale: 'Scale',
  quality: 'Quality',
  lang: 'Language',
  size: 'Size',
  frames: 'Number of frames',
};

/** Shows the access, and stores it on request. */
export function AccessForm({ editor: { uid, service } }: { editor: Editor }): VNode {
  const { client } = service;
  const [access, setAccess] = useState<TemplateAccess | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isSaved, setSaved] = useState(false);
  const attempt = async (call: () => Promise<TemplateAccess>): Promise<boolean> => {
    try {
      setProblem(undefined);
      setAccess(await call());
      return true;
    } catch (error) {
      setProblem(explainError(error));
      return false;
    }
  };
  useEffect(() => void attempt(async () => (await client.getTemplate(uid)).access), [uid]);
  const save = async (body: TemplateAccess): Promise<void> => {
    const stored = await attempt(() =>
      client.request('PUT /v1/templates/{uid}/access', { path: { uid }, body }),
    );
    setSaved(stored);
  };
  const set = (changes: Partial<TemplateAccess>): void => {
    setSaved(false);
    if (access !== undefined) setAccess({ ...access, ...changes });
  };
  return (
    <form
      class="access"
      onSubmit={(event) => {
        event.preventDefault();
        if (access !== undefined) void save(access);
      }}
    >
      <p class="soft">
        All links follow at once, those of older versions too. Publishing and rolling back change
        nothing here.
      </p>
      {access !== undefined && <AccessFields access={access} set={set} />}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={access === undefined}>
        Save the access
      </button>
      <span role="status">{isSaved ? 'Saved: links follow now.' : ''}</span>
    </form>
  );
}

interface AccessFieldsProps {
  access: TemplateAccess;
  set: (changes: Partial<TemplateAccess>) => void;
}

function AccessFields({ access, set }: AccessFieldsProps): VNode {
  const { linkAuth, linkOptions, atZero } = access;
  return (
    <>
      <label class="field">
        Who may open links
        <select
          value={linkAuth}
          onChange={({ currentTarget: { value } }) =>
            set({ linkAuth: value as TemplateAccess['linkAuth'] })
          }
        >
          {Object.entries(readers).map(([value, name]) => (
            <option value={value}>{name}</option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend>What links may choose</legend>
        {(Object.keys(optionNames) as TemplateAccess['linkOptions']).map((option) => (
          <label>
            <input
              type="checkbox"
              checked={linkOptions.includes(option)}
              onChange={({ currentTarget: { checked } }) => {
                const others = linkOptions.filter((each) => each !== option);
                set({ linkOptions: checked ? [...others, option] : others });
              }}
            />{' '}
            {optionNames[option]}
          </label>
        ))}
      </fieldset>
      <label class="field">
        Template after the countdown
        <input
          type="text"
          placeholder="the same one"
          value={atZero === 'stay' ? '' : atZero.template}
          onInput={({ currentTarget: { value } }) =>
            set({ atZero: value.trim() === '' ? 'stay' : { template: value.trim() } })
          }
        />
      </label>
    </>
  );
}
