/** Form fields for each kind of entry in the brand kit. */
import type { VNode } from 'preact';
import type { Brand, BrandTextStyle } from '#language/brand.ts';
import { UploadButton, UploadReport, useUpload } from '../panels/asset-library.tsx';
import { toHex } from '#language/values/read-color.ts';
import { channelsOf, isColor } from '../panels/fields/color-math.ts';
import { familiesOf } from '../panels/fields/font-picker.tsx';
import { imageThumbnail, LazyImage } from '../panels/layers/thumbnails.tsx';
import { WeightOptions } from '../canvas/text/weight.tsx';
import { imageFiles, uploadImage } from '../state/service.ts';
import type { Service } from '../state/service.ts';

export interface EntryProps<Entry> {
  service: Service;
  entry: Entry;
  set: (entry: Entry) => void;
}

/** Maximum length of a name in characters, as in the service. */
const nameLengthMax = 60;

function NameField<Entry extends { name: string }>({ entry, set }: EntryProps<Entry>): VNode {
  return (
    <label class="field">
      Name
      <input
        type="text"
        required
        dir="auto"
        title={entry.name}
        maxLength={nameLengthMax}
        value={entry.name}
        onInput={(event) => set({ ...entry, name: event.currentTarget.value })}
      />
    </label>
  );
}

/** Fields of a colour. The colour input has no opacity, so a choice in it keeps the opacity of the hex code. */
export function ColorEntry(props: EntryProps<Brand['colors'][number]>): VNode {
  const { entry, set } = props;
  const [red, green, blue, alpha] = channelsOf(isColor(entry.value) ? entry.value : '#000000');
  const choose = (chosen: string): void => {
    const [chosenRed, chosenGreen, chosenBlue] = channelsOf(chosen);
    set({ ...entry, value: toHex([chosenRed, chosenGreen, chosenBlue], alpha) });
  };
  return (
    <>
      <NameField {...props} />
      <label class="field">
        Colour
        <input
          type="color"
          value={toHex([red, green, blue], 1)}
          onInput={(event) => choose(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        Hex
        <input
          type="text"
          required
          pattern="#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
          title="#rgb, #rgba, #rrggbb or #rrggbbaa"
          value={entry.value}
          onInput={(event) => set({ ...entry, value: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

export function StyleEntry(props: EntryProps<BrandTextStyle>): VNode {
  const { service, entry, set } = props;
  const { fontFamily = 'Inter', fontWeight = 400 } = entry;
  return (
    <>
      <NameField {...props} />
      <FamilyField
        service={service}
        family={fontFamily}
        set={(family) => set({ ...entry, fontFamily: family })}
      />
      <label class="field">
        Weight
        <WeightOptions
          service={service}
          family={fontFamily}
          weight={fontWeight}
          label="Weight"
          change={(weight) => set({ ...entry, fontWeight: weight })}
        />
      </label>
      <NumberEntry {...props} name="fontSize" label="Size" min={1} max={2000} step={1} />
      <NumberEntry {...props} name="lineHeight" label="Line height" min={0.5} max={4} step={0.05} />
      <NumberEntry
        {...props}
        {...{ name: 'letterSpacing', label: 'Letter spacing', min: -100, max: 400, step: 0.1 }}
      />
    </>
  );
}

interface NumberEntryProps extends EntryProps<BrandTextStyle> {
  name: 'fontSize' | 'lineHeight' | 'letterSpacing';
  label: string;
  min: number;
  max: number;
  step: number;
}

/** An empty field removes the property from the style, and each text keeps its value. */
function NumberEntry({ entry, set, name, label, ...bounds }: NumberEntryProps): VNode {
  return (
    <label class="field">
      {label}
      <input
        type="number"
        {...bounds}
        step="any"
        placeholder="any"
        value={entry[name] ?? ''}
        onInput={(event) => {
          const { valueAsNumber: number } = event.currentTarget;
          const { [name]: _old, ...others } = entry;
          set(Number.isNaN(number) ? others : { ...others, [name]: number });
        }}
      />
    </label>
  );
}

export function FontEntry(props: EntryProps<Brand['fonts'][number]>): VNode {
  const { service, entry, set } = props;
  return (
    <>
      <NameField {...props} />
      <FamilyField
        service={service}
        family={entry.family}
        set={(family) => set({ ...entry, family })}
      />
    </>
  );
}

/** Offers all known families, and the chosen family even if it was deleted. */
function FamilyField({
  service,
  family,
  set,
}: {
  service: Service;
  family: string;
  set: (family: string) => void;
}): VNode {
  const known = familiesOf(service).value.map((each) => each.family);
  const offered = known.includes(family) ? known : [family, ...known];
  return (
    <label class="field">
      Family
      <select value={family} onChange={(event) => set(event.currentTarget.value)}>
        {offered.map((each) => (
          <option key={each} value={each} selected={each === family}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Size of the thumbnail, px. The page shows it at half that size. */
const thumbnailPx = 128;

export function LogoEntry(props: EntryProps<Brand['logos'][number]>): VNode {
  const { service, entry, set } = props;
  const upload = useUpload(async (file, onProgress) => {
    const { id } = await uploadImage(service, file, onProgress);
    set({ ...entry, src: id });
  });
  return (
    <>
      {entry.src === '' ? null : (
        <LazyImage
          key={entry.src}
          className="p-thumb"
          label={entry.name}
          load={() => imageThumbnail(service, entry.src, thumbnailPx)}
        />
      )}
      <NameField {...props} />
      <UploadButton
        upload={upload}
        accept={imageFiles}
        text={entry.src === '' ? 'Upload' : 'Replace'}
        label={`${entry.name}: upload a file`}
      />
      <UploadReport upload={upload} />
    </>
  );
}
