/** Controls of the inspector that are loaded later, for modules that `later.tsx` imports itself. */
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { laterCalls } from '../later-calls.ts';
import type { LaterFunctions } from '../later-calls.ts';

/** Wraps a control of `later.tsx`. The wrapper renders null until its code is loaded, and at once afterwards. */
export function laterControl<Props extends object>(
  choose: (code: LaterFunctions) => ComponentType<Props>,
): (props: Props) => VNode | null {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [, show] = useState(loaded !== undefined);
    useEffect(() => {
      laterCalls.run?.((code) => {
        loaded = choose(code);
        show(true);
      });
    }, []);
    const Control = loaded;
    return Control === undefined ? null : <Control {...props} />;
  };
}
