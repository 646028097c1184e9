import { ariaDescribedByIds, getInputProps, type WidgetProps } from '@rjsf/utils';

/** One line of text, or a number. */
export function TextInput(props: WidgetProps) {
  const { id, value, schema, options, type, disabled, readonly, required, onChange, onBlur, onFocus } = props;
  const { label, hideLabel, rawErrors = [] } = props;
  const { step, min, max, type: kind } = getInputProps(schema, type, options);
  return (
    <input
      id={id}
      type={kind}
      step={step}
      min={min}
      max={max}
      value={value ?? ''}
      disabled={disabled}
      readOnly={readonly}
      aria-label={hideLabel ? label : undefined}
      aria-required={required}
      aria-invalid={rawErrors.length > 0}
      aria-describedby={ariaDescribedByIds(id)}
      spellCheck={false}
      autoComplete={kind === 'password' ? 'new-password' : 'off'}
      onChange={({ target }) => onChange(target.value === '' ? options.emptyValue : target.value)}
      onBlur={({ target }) => onBlur(id, target.value)}
      onFocus={({ target }) => onFocus(id, target.value)}
    />
  );
}
