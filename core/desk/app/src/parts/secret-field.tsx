import { useEffect, useId, useRef } from 'react';
import { MASK } from '../form/mask.ts';
import { useMessages } from '../messages/language.tsx';
import { Beside, describedBy } from './field.tsx';

/** A secret that the host masks: that it is set, and a place for another one. Nobody sees the stored one. */
export function SecretField(props: {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  value: string;
  /** True where the host has one. */
  isStored: boolean;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}) {
  const { label, help, error, value, isStored, isReadOnly, onChange } = props;
  const { form } = useMessages();
  const id = useId();
  const isSet = value === MASK;
  // The button that was pressed is gone: what took its place has the focus.
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
        {isSet ? (
          <output className="secret-set" id={id} aria-describedby={describedBy(id, help, error)}>
            {form.secretSet}
          </output>
        ) : (
          <input
            id={id}
            type="password"
            value={value}
            readOnly={isReadOnly}
            autoComplete="new-password"
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
        {!isSet && isStored && !isReadOnly && (
          <button type="button" aria-label={form.keepOf(label)} onClick={() => press(MASK)}>
            {form.keep}
          </button>
        )}
      </div>
      <Beside id={id} help={help} error={error} />
    </div>
  );
}
