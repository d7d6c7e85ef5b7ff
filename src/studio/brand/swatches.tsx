/** Colours to choose from: those of the brand kit, and those of a template. */
import type { VNode } from 'preact';
import type { Brand } from '#language/brand.ts';

/** Applies the value of a brand kit entry, and links the property to that entry. */
export type Follow = (entry: string, value: string) => void;

type NamedColor = Brand['colors'][number];

/** Colour buttons below a title. Renders nothing without colours. */
export function Swatches({
  title,
  colors,
  pick,
}: {
  title: string;
  colors: readonly NamedColor[];
  pick: (color: NamedColor) => void;
}): VNode | null {
  if (colors.length === 0) return null;
  return (
    <>
      <p class="p-picker-title">{title}</p>
      <div class="p-recent">
        {colors.map((color) => (
          <button
            key={color.id}
            type="button"
            class="p-swatch"
            aria-label={`Use ${color.name}`}
            title={color.name}
            onClick={() => pick(color)}
          >
            <span style={{ background: color.value }} />
          </button>
        ))}
      </div>
    </>
  );
}
