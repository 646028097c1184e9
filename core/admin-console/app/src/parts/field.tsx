import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

/** A one-line text field with its label, and its error below it. */
export function TextField({
  label,
  error,
  help,
  ...input
}: { label: string; error?: string | undefined; help?: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
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
        aria-describedby={describedBy(id, help, error)}
      />
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}

export function CheckField(props: {
  label: string;
  help?: string | undefined;
  isOn: boolean;
  isReadOnly?: boolean;
  onTurn: (isOn: boolean) => void;
}) {
  const { label, help, isOn, isReadOnly = false, onTurn } = props;
  const id = useId();
  const box = (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isReadOnly}
        aria-describedby={help && id}
        onChange={({ target }) => onTurn(target.checked)}
      />
      {label}
    </label>
  );
  if (help === undefined) return box;
  return (
    <div className="check-field">
      {box}
      <p className="help" id={id}>
        {help}
      </p>
    </div>
  );
}

/** A choice of a few values. A value that is none of them is preserved until the user chooses another. */
export function ChoiceField(props: {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  isReadOnly?: boolean;
  onChange: (value: string) => void;
}) {
  const { label, help, error, value, options, isReadOnly = false, onChange } = props;
  const id = useId();
  const allOptions = options.some(([one]) => one === value) ? options : [[value, value] as const, ...options];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isReadOnly}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, help, error)}
        onChange={({ target }) => onChange(target.value)}
      >
        {allOptions.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  );
}

/** The IDs of the elements that `FieldNotes` renders. */
export function describedBy(id: string, help: ReactNode, error: string | undefined): string | undefined {
  return [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

/** The help and the error below a field. */
export function FieldNotes({ id, help, error }: { id: string; help?: ReactNode; error?: string | undefined }) {
  return (
    <>
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
    </>
  );
}

/** A text field with one list entry per line. */
export function LinesField(props: {
  label: string;
  help: string;
  value: string;
  isReadOnly: boolean;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const { label, help, value, isReadOnly, error, onChange } = props;
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
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? `${id}-help` : `${id}-help ${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="help" id={`${id}-help`}>
        {help}
      </p>
      {error !== undefined && (
        <p className="field-errors" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
