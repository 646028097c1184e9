import type { WidgetProps } from '@rjsf/utils';
import { useState } from 'react';
import { MASK } from './mask.ts';
import { SecretWidget } from './secret-widget.tsx';
import { TextInput } from './text-input.tsx';

/** A field of one line; one that holds a secret shows that it does, and nothing of it. */
export function TextWidget(props: WidgetProps) {
  const { schema, value } = props;
  // The host masks by names too: what it masked when the form began is a secret, whatever the schema says.
  const [wasMasked] = useState(value === MASK);
  const isSecret = schema.writeOnly === true || schema.format === 'password' || wasMasked;
  return isSecret ? <SecretWidget {...props} /> : <TextInput {...props} />;
}
