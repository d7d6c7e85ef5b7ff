/** The formats of the chip of a variable, loaded when the first chip is selected. */
import type { VNode } from 'preact';
import { later } from '../../later-part.tsx';
import type { FormatListProps } from './format-list.tsx';
import { bindingAt } from './variables.ts';

const FormatList = later((code) => code.FormatList);

interface ChipFormatsProps extends Omit<FormatListProps, 'chip'> {
  selected: readonly [from: number, to: number];
}

/** Formats of the chip that is selected or contains the caret; null without one. */
export function ChipFormats({ selected, ...rest }: ChipFormatsProps): VNode | null {
  const chip = bindingAt(rest.text, selected);
  return chip === undefined ? null : <FormatList {...rest} chip={chip} />;
}
