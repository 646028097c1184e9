import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

/** One line of text with its name, and what is wrong with it beside it. */
export function TextField({
  label,
  error,
  help,
  ...input
}: { label: string; error?: string | undefined; help?: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const beside = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        spellCheck={false}
        autoComplete="off"
        {...input}
        aria-invalid={error !== undefined}
        aria-describedby={beside}
      />
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error !== undefined && (
        <p className="field-errors" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

export function CheckField(props: {
  label: string;
  isOn: boolean;
  isReadOnly?: boolean;
  onTurn: (isOn: boolean) => void;
}) {
  const { label, isOn, isReadOnly = false, onTurn } = props;
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} disabled={isReadOnly} onChange={({ target }) => onTurn(target.checked)} />
      {label}
    </label>
  );
}

/** Several lines, each of which is an entry of a list. */
export function LinesField(props: {
  label: string;
  help: string;
  value: string;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}) {
  const { label, help, value, isReadOnly, onChange } = props;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        value={value}
        readOnly={isReadOnly}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  );
}
