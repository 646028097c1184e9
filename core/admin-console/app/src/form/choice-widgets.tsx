import { ariaDescribedByIds, enumOptionsIndexForValue, enumOptionsValueForIndex, type WidgetProps } from '@rjsf/utils';

export function CheckboxWidget({ id, value, label, disabled, readonly, rawErrors = [], onChange }: WidgetProps) {
  return (
    <label className="check">
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        disabled={disabled || readonly}
        aria-invalid={rawErrors.length > 0}
        aria-describedby={ariaDescribedByIds(id)}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

/** A select box, or checkboxes if several values may be chosen. */
export function SelectWidget(props: WidgetProps) {
  const { id, value, label, hideLabel, disabled, readonly, required, multiple, rawErrors = [] } = props;
  const { schema, onChange, options } = props;
  const { enumOptions = [], emptyValue } = options;
  if (multiple) return <Checkboxes {...props} />;
  return (
    <select
      id={id}
      value={enumOptionsIndexForValue(value, enumOptions) ?? ''}
      disabled={disabled || readonly}
      aria-label={hideLabel ? label : undefined}
      aria-required={required}
      aria-invalid={rawErrors.length > 0}
      aria-describedby={ariaDescribedByIds(id)}
      onChange={({ target }) => onChange(enumOptionsValueForIndex(target.value, enumOptions, emptyValue))}
    >
      {schema.default === undefined && <option value="" />}
      {enumOptions.map((option, index) => (
        <option key={String(option.value)} value={String(index)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function Checkboxes({ id, value, label, disabled, readonly, rawErrors = [], onChange, options }: WidgetProps) {
  const { enumOptions = [] } = options;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className="boxes" id={id} aria-label={label} aria-describedby={ariaDescribedByIds(id)}>
      {enumOptions.map((option) => (
        <label className="check" key={String(option.value)}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            disabled={disabled || readonly}
            aria-invalid={rawErrors.length > 0}
            onChange={({ target }) =>
              onChange(
                enumOptions
                  .map((one) => one.value)
                  .filter((one) => (one === option.value ? target.checked : chosen.includes(one))),
              )
            }
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
