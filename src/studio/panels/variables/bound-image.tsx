/** The control of an image that is bound to a variable: the variable, its name, and its default image. */
import type { VNode } from 'preact';
import { behindFrame } from '../behind-frame.ts';
import { variablesOf } from '../../state/list-items.ts';
import { ImageField } from '../fields/image.tsx';
import { BoundControl } from './bind-button.tsx';
import type { BindProps } from './bind-button.tsx';
import { NameField } from './name-field.tsx';
import { changeDefault } from './variable-default.ts';
import { splitBinding } from './variables.ts';

/** Upload and library change the variable's default. The focus point is the layer's. */
export function BoundImage(props: BindProps & { name: string }): VNode {
  const { id, name, target, path } = props;
  const { editor } = target;
  const { name: bound } = splitBinding(name);
  const document = behindFrame(editor).document.value;
  const variable = variablesOf(document, target.ids).find((each) => each.name === bound);
  if (variable?.type !== 'image') return <BoundControl {...props} />;
  return (
    <div class="p-bound-image">
      <BoundControl {...props} />
      {document.variables.includes(variable) ? (
        <NameField key={bound} editor={editor} variable={variable} />
      ) : null}
      <ImageField
        editor={editor}
        target={target}
        path={path}
        id={`${id}-default`}
        label={`Default of ${bound}`}
        value={variable.value}
        placeholder=""
        isInvalid={false}
        change={(value) => changeDefault(editor, bound, value)}
      />
    </div>
  );
}
