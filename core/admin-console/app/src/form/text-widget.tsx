import type { WidgetProps } from '@rjsf/utils';
import { useState } from 'react';
import { MASK } from './mask.ts';
import { SecretWidget } from './secret-widget.tsx';
import { TextInput } from './text-input.tsx';

/** A field of one line. A secret shows only that it is set. */
export function TextWidget(props: WidgetProps) {
  const { schema, value } = props;
  // The host also masks by name: a value that was masked when the form began is a secret, even if the schema does not
  // mark it.
  const [wasMasked] = useState(value === MASK);
  const isSecret = schema.writeOnly === true || schema.format === 'password' || wasMasked;
  return isSecret ? <SecretWidget {...props} /> : <TextInput {...props} />;
}
