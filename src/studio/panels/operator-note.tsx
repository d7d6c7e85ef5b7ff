/** The exact words for the operator of the service, closed for all others. */
import type { ComponentChildren, VNode } from 'preact';

export function OperatorNote({ children }: { children: ComponentChildren }): VNode {
  return (
    <details class="operator-note">
      <summary>For the people who run this service</summary>
      <p>{children}</p>
    </details>
  );
}
