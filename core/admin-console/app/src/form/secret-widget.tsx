import { ariaDescribedByIds, type WidgetProps } from '@rjsf/utils';
import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../messages/language.tsx';
import { MASK } from './mask.ts';
import { TextInput } from './text-input.tsx';

/** A secret: shows that it is set, and lets the user replace or remove it. The stored value is never shown. */
export function SecretWidget(props: WidgetProps) {
  const { id, value, label, required, disabled, onChange } = props;
  const { form } = useMessages();
  const [wasSet] = useState(value === MASK);
  const isSet = value === MASK;
  const box = useFocusAfter(isSet);
  return (
    <div className="secret" ref={box}>
      {isSet ? (
        <output className="secret-set" id={id} aria-describedby={ariaDescribedByIds(id)}>
          {form.secretSet}
        </output>
      ) : (
        <TextInput {...props} type="password" />
      )}
      {isSet && (
        <button type="button" disabled={disabled} aria-label={form.replaceOf(label)} onClick={() => onChange('')}>
          {form.replace}
        </button>
      )}
      {isSet && !required && (
        <button type="button" disabled={disabled} aria-label={form.clearOf(label)} onClick={() => onChange(undefined)}>
          {form.clear}
        </button>
      )}
      {!isSet && wasSet && (
        <button type="button" disabled={disabled} aria-label={form.keepOf(label)} onClick={() => onChange(MASK)}>
          {form.keep}
        </button>
      )}
    </div>
  );
}

/** Focuses the element that replaced the pressed button. */
function useFocusAfter(isSet: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(isSet);
  useEffect(() => {
    if (shown.current === isSet) return;
    shown.current = isSet;
    box.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [isSet]);
  return box;
}
