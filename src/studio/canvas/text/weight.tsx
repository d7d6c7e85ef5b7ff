/** Chooses the weight of a font by name, from the weights of its family. */
import type { VNode } from 'preact';
import type { Service } from '../../state/service.ts';
import { familiesOf } from '../../panels/fields/font-picker.tsx';
import type { Path } from '../../panels/fields/values.ts';
import type { Target } from '../../panels/target.ts';

/** Display names of weights (CSS Fonts 4, common weight names). */
const weightNames: Readonly<Record<number, string>> = {
  100: 'Thin',
  200: 'Extra light',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'Semibold',
  700: 'Bold',
  800: 'Extra bold',
  900: 'Black',
};

/** Default family and weight of a text. */
const [familyDefault, weightDefault] = ['Inter', 400];

interface WeightOptionsProps {
  service: Service;
  family: string;
  /** Undefined if the selection has several weights. */
  weight: number | undefined;
  label: string;
  id?: string;
  isInvalid?: boolean;
  change: (weight: number) => void;
}

/** Select of a family's weights, or of all weights if the family is unknown. Always includes the current weight. */
export function WeightOptions(props: WeightOptionsProps): VNode {
  const { service, family, weight, label, id, isInvalid = false, change } = props;
  const found = familiesOf(service).value.find((each) => each.family === family);
  const offered = found?.weights ?? Object.keys(weightNames).map(Number);
  const weights =
    weight === undefined || offered.includes(weight)
      ? offered
      : [...offered, weight].toSorted((a, b) => a - b);
  const shown = weight === undefined ? '' : String(weight);
  return (
    <select
      id={id}
      aria-label={label}
      aria-invalid={isInvalid}
      value={shown}
      onChange={(event) => change(Number(event.currentTarget.value))}
    >
      {shown === '' && (
        <option value="" selected disabled>
          Mixed
        </option>
      )}
      {weights.map((each) => (
        <option key={each} value={String(each)} selected={String(each) === shown}>
          {weightNames[each] ?? each}
        </option>
      ))}
    </select>
  );
}

interface WeightFieldProps {
  target: Target;
  path: Path;
  id: string;
  label: string;
  value: unknown;
  isMixed: boolean;
  isInvalid: boolean;
  change: (value: unknown) => void;
}

/** Field for the weight of a layer's text, or of a span, which may set another family. */
export function WeightField(props: WeightFieldProps): VNode {
  const { target, path, value, isMixed, ...others } = props;
  const named = target.read([...path.slice(0, -1), 'fontFamily']) ?? target.read(['fontFamily']);
  const [first = named ?? familyDefault]: unknown[] = Array.isArray(named) ? named : [];
  const weight = typeof value === 'number' ? value : weightDefault;
  return (
    <WeightOptions
      {...others}
      service={target.editor.service}
      family={typeof first === 'string' ? first : ''}
      weight={isMixed ? undefined : weight}
    />
  );
}
