/** Card that chooses the image of the campaign. After a change it offers to prove the new image. */
import type { VNode } from 'preact';
import { WidthField } from '../publish/email-options.tsx';
import { linkSizes, snippetTemplate } from '../publish/share-links.ts';
import {
  choicesOf,
  formatChoices,
  imageOptions,
  isSameImage,
  isShownEverywhere,
  scaleChoices,
} from './image-choices.ts';
import type { Choice, ImageChoices } from './image-choices.ts';
import type { CampaignParts } from './use-campaign.ts';

export function ImageFields({ state, campaign, template, image, setImage }: CampaignParts): VNode {
  const uid = campaign.template;
  const proof = campaign.runs.find(({ mode }) => mode === 'proof');
  const options = imageOptions(uid, template, image);
  const isChanged = proof !== undefined && !isSameImage(proof.options, options);
  return (
    <section class="campaign-card" aria-labelledby="image-title">
      <h2 id="image-title">The image</h2>
      <div class="link-choices">
        <ChoiceField
          label="Size"
          name="size"
          choices={sizeChoices(template)}
          {...{ image, setImage }}
        />
        <WidthField
          label="Width in the email, px"
          widthPx={image.widthPx}
          widthPxMax={snippetTemplate(uid, template, image.size).width}
          set={(widthPx) => setImage({ ...image, widthPx })}
        />
        <ChoiceField
          label="Pixels"
          name="scale"
          choices={scaleChoices(uid, template, image)}
          {...{ image, setImage }}
        />
        <ChoiceField
          label="Format"
          name="format"
          choices={formatChoices(template)}
          {...{ image, setImage }}
        />
      </div>
      {!isShownEverywhere(image, template) && (
        <p class="hint">Outlook on Windows shows PNG, JPEG and GIF only.</p>
      )}
      {isChanged && (
        <div class="campaign-actions">
          <button
            type="button"
            class="primary"
            onClick={() => void state.start({ mode: 'proof', ...options })}
          >
            Prove this image
          </button>
          <button type="button" onClick={() => setImage(choicesOf(proof, uid, template))}>
            Take it back
          </button>
          <p class="soft">The proof above is of another image.</p>
        </div>
      )}
    </section>
  );
}

function sizeChoices(template: CampaignParts['template']): Choice[] {
  const sizes = linkSizes(template);
  if (sizes.length === 0) return [];
  return [
    ['', `${template.width} × ${template.height}, as designed`],
    ...sizes.map(({ name, width, height }): Choice => [name, `${name}, ${width} × ${height}`]),
  ];
}

interface ChoiceProps extends Pick<CampaignParts, 'image' | 'setImage'> {
  label: string;
  name: 'size' | 'format' | 'scale';
  choices: readonly Choice[];
}

/** Renders nothing without choices. */
function ChoiceField({ label, name, choices, image, setImage }: ChoiceProps): VNode | null {
  if (choices.length === 0) return null;
  const choose = (value: string): void => {
    const chosen: Partial<ImageChoices> =
      name === 'scale' ? { scale: Number(value) } : { [name]: value };
    // Each size has different scales.
    setImage({ ...image, ...(name === 'size' ? { scale: 0 } : {}), ...chosen });
  };
  return (
    <label class="field">
      {label}
      <select value={String(image[name])} onChange={(event) => choose(event.currentTarget.value)}>
        {choices.map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </label>
  );
}
