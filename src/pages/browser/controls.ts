/** Builds the controls of the pages: a field for each variable of a template, and copy buttons. */

/** A variable in the page's data. */
export interface PageVariable {
  name: string;
  type: 'text' | 'image' | 'color' | 'number' | 'boolean' | 'date' | 'list';
  /** The default; empty if it means nothing to a person, such as the address of an image. */
  value: string;
  /** The initial content of the field; empty: the default is drawn. */
  first: string;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** A filled field. */
export interface FieldValue {
  name: string;
  value: string;
  isPersonal: boolean;
}

/** Replaces the fields by those of a template. */
export function showFields(container: HTMLElement, variables: readonly PageVariable[]): void {
  container.replaceChildren(...variables.map(field));
}

/** The values of the fields, in the order of the template. */
export function readFields(container: HTMLElement): FieldValue[] {
  return [...container.querySelectorAll<HTMLElement>('.field')].map((element) => ({
    name: element.dataset['name'] ?? '',
    value: element.querySelector<HTMLInputElement>('[data-value]')?.value ?? '',
    isPersonal: element.querySelector<HTMLInputElement>('[data-personal]')?.checked ?? false,
  }));
}

function field(variable: PageVariable, index: number): HTMLElement {
  const id = `value-${index}`;
  const box = make('div', { className: 'field' });
  box.dataset['name'] = variable.name;
  const label = make('label', { htmlFor: id, textContent: variable.name });
  const top = make('div', { className: 'top' });
  top.append(label, personalCheckbox(variable, index));
  box.append(top, control(variable, id));
  return box;
}

/** A checkbox for texts and images, which can come from contacts. It is checked for `name`. */
function personalCheckbox({ name, type }: PageVariable, index: number): HTMLElement {
  if (type !== 'text' && type !== 'image') return make('span', {});
  const input = make('input', { type: 'checkbox', checked: name === 'name' });
  input.dataset['personal'] = String(index);
  const label = make('label', { className: 'from', title: 'An email service’s tag fills it in' });
  label.append(input, 'from contact', make('span', { className: 'quiet', textContent: name }));
  return label;
}

function control(variable: PageVariable, id: string): HTMLElement {
  switch (variable.type) {
    case 'color':
      return colorControl(variable, id);
    case 'boolean':
      return choiceControl(id, ['', 'true', 'false'], ['Default', 'Yes', 'No']);
    case 'number':
      return valueInput(variable, id, {
        inputMode: 'decimal',
        placeholder: range(variable),
      });
    case 'image':
      return valueInput(variable, id, {
        type: 'url',
        placeholder: 'https://… of a public image',
      });
    default:
      return valueInput(variable, id, {
        ...(variable.maxLength === undefined ? {} : { maxLength: variable.maxLength }),
        placeholder: variable.value,
      });
  }
}

function valueInput(
  variable: PageVariable,
  id: string,
  properties: Partial<HTMLInputElement>,
): HTMLInputElement {
  const input = make('input', {
    id,
    value: variable.first,
    spellcheck: false,
    ...properties,
  });
  input.dataset['value'] = variable.name;
  return input;
}

/** A colour picker and the same colour as text. Only the text can have an alpha or be empty. */
function colorControl(variable: PageVariable, id: string): HTMLElement {
  const text = valueInput(variable, id, { placeholder: variable.value });
  const swatch = make('input', {
    type: 'color',
    value: sixDigits(variable.first) ?? sixDigits(variable.value) ?? '#000000',
    ariaLabel: `${variable.name}: choose a colour`,
  });
  swatch.addEventListener('input', () => {
    text.value = swatch.value;
  });
  text.addEventListener('input', () => {
    swatch.value = sixDigits(text.value) ?? swatch.value;
  });
  const pair = make('div', { className: 'pair' });
  pair.append(swatch, text);
  return pair;
}

function choiceControl(id: string, values: string[], labels: string[]): HTMLElement {
  const select = make('select', { id });
  select.dataset['value'] = '';
  values.forEach((value, index) => select.append(new Option(labels[index], value)));
  return select;
}

function range({ value, min, max }: PageVariable): string {
  if (min === undefined || max === undefined) return value;
  return `${value} (${min} to ${max})`;
}

function sixDigits(color: string): string | undefined {
  const digits = color.replace('#', '').toLowerCase();
  if (/^[\da-f]{3}$/.test(digits)) return `#${digits.replaceAll(/./g, '$&$&')}`;
  return /^[\da-f]{6}/.test(digits) ? `#${digits.slice(0, 6)}` : undefined;
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}

// Copy buttons: `<button data-copy="id">` copies the text of the element with this id.

/** Time that a button shows the result of copying, in ms. */
const copiedMs = 1600;

/** Enables all copy buttons of the page, including those that are added later. */
export function enableCopyButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[data-copy]');
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset['copy'] ?? '');
  if (source === null || button.dataset['label'] !== undefined) return;
  const isCopied = await writeText(source);
  button.dataset['label'] = button.innerHTML;
  button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => {
    button.innerHTML = button.dataset['label'] ?? '';
    delete button.dataset['label'];
  }, copiedMs);
}

/**
 * Copies the text of an element. Pages without TLS from another host have no clipboard: the text is then selected for
 * the keyboard.
 */
async function writeText(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
