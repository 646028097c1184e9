import { useId, useState } from 'react';
import { useTexts } from '../../messages/language.tsx';
import { texts } from './texts.ts';

export interface FilterField {
  /** Its parameter in the address. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  /** Values to choose from; suggestions if `isOpen`, since other values are then allowed. */
  readonly options?: readonly string[];
  /** The names of the options; an option without one is shown as it is. */
  readonly optionNames?: Readonly<Record<string, string>>;
  readonly isOpen?: true;
  /** A time: milliseconds since the epoch in the address, local time in the field. */
  readonly isTime?: true;
}

type Values = Readonly<Record<string, string>>;

/** The filters of a list. They apply only when submitted, since an incomplete event type matches nothing. */
export function FilterForm(props: {
  fields: readonly FilterField[];
  values: Values;
  onApply: (values: Values) => void;
}) {
  const { fields, values, onApply } = props;
  const strings = useTexts(texts);
  const [typed, setTyped] = useState(values);
  const [base, setBase] = useState(values);
  // The address has changed by navigation.
  if (JSON.stringify(base) !== JSON.stringify(values)) {
    setBase(values);
    setTyped(values);
  }
  const hasFilter = Object.values(values).some((value) => value !== '');
  return (
    <form
      className="filters"
      aria-label={strings.narrow}
      onSubmit={(event) => {
        event.preventDefault();
        onApply(typed);
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          onChange={(value) => setTyped({ ...typed, [field.name]: value.trimStart() })}
        />
      ))}
      <p className="actions">
        <button type="submit">{strings.apply}</button>
        {hasFilter && (
          <button
            type="button"
            className="plain"
            onClick={() => onApply(Object.fromEntries(fields.map(({ name }) => [name, ''])))}
          >
            {strings.clear}
          </button>
        )}
      </p>
    </form>
  );
}

function Field({ field, value, onChange }: { field: FilterField; value: string; onChange: (value: string) => void }) {
  const { any } = useTexts(texts);
  const id = useId();
  const { label, help, options = [], optionNames = {}, isOpen, isTime } = field;
  if (options.length > 0 && !isOpen) {
    return (
      <label>
        {label}
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{any}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {optionNames[option] ?? option}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <label>
      {label}
      <input
        type={isTime ? 'datetime-local' : 'text'}
        value={isTime ? localTime(value) : value}
        placeholder={help}
        list={isOpen ? id : undefined}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange(isTime ? milliseconds(target.value) : target.value)}
      />
      {isOpen && (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </label>
  );
}

function milliseconds(local: string): string {
  const time = new Date(local).getTime();
  return Number.isNaN(time) ? '' : String(time);
}

/** The value of a field for local times, such as `2026-11-23T12:00`. */
function localTime(value: string): string {
  const date = new Date(Number(value));
  if (value === '' || Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
