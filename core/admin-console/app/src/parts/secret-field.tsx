import { useEffect, useId, useRef, useState } from 'react';
import { MASK } from '../form/mask.ts';
import { useMessages } from '../messages/language.tsx';
import { describedBy, FieldNotes } from './field.tsx';

/**
 * A secret that the host masks: shows that it is set, and lets the user replace it. The stored value is never shown.
 * @param value `MASK` while it is unchanged
 */
export function SecretField(props: {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  value: string;
  isReadOnly?: boolean;
  onChange: (value: string) => void;
}) {
  const { label, help, error, value, isReadOnly = false, onChange } = props;
  const { form, none } = useMessages();
  const id = useId();
  const isSet = value === MASK;
  const [wasSet, setWasSet] = useState(isSet);
  if (isSet && !wasSet) setWasSet(true);
  // Focus the element that replaced the pressed button.
  const box = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    if (pressed.current) box.current?.querySelector<HTMLElement>(isSet ? 'button' : 'input')?.focus();
    pressed.current = false;
  }, [isSet]);
  const press = (next: string) => {
    pressed.current = true;
    onChange(next);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret" ref={box}>
        {isSet || isReadOnly ? (
          <output className="secret-set" id={id} aria-describedby={describedBy(id, help, error)}>
            {isSet ? form.secretSet : none}
          </output>
        ) : (
          <input
            id={id}
            type="password"
            spellCheck={false}
            autoComplete="new-password"
            value={value}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy(id, help, error)}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
        {isSet && !isReadOnly && (
          <button type="button" aria-label={form.replaceOf(label)} onClick={() => press('')}>
            {form.replace}
          </button>
        )}
        {!isSet && wasSet && !isReadOnly && (
          <button type="button" aria-label={form.keepOf(label)} onClick={() => press(MASK)}>
            {form.keep}
          </button>
        )}
      </div>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}
