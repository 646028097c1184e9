import { useId } from 'react';

/** One of several choices. @param props.help is read out with the field */
export function SelectField(props: {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
  help?: string | undefined;
  isReadOnly?: boolean;
  onChange: (value: string) => void;
}) {
  const { label, value, choices, help, isReadOnly = false, onChange } = props;
  const id = useId();
  // A value that is no choice stays as it is until another one is chosen.
  const all = choices.some(([one]) => one === value) ? choices : [[value, value] as const, ...choices];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isReadOnly}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={({ target }) => onChange(target.value)}
      >
        {all.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
