import { DurationField } from '../../parts/duration-field.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { SecretField } from '../../parts/secret-field.tsx';
import type { SettingField as Kind, SettingValue } from './section.ts';

/** The field of one setting, by its type. */
export function SettingField<V>(props: {
  field: Kind<V>;
  label: string;
  help: string | undefined;
  error: string | undefined;
  value: SettingValue;
  isReadOnly: boolean;
  onChange: (value: SettingValue) => void;
}) {
  const { field, label, help, error, value, isReadOnly, onChange } = props;
  const common = { label, help, error, isReadOnly, onChange };
  switch (field.kind) {
    case 'check':
      return <CheckField {...{ label, help, isReadOnly }} isOn={value === true} onTurn={onChange} />;
    case 'duration':
      return <DurationField {...common} seconds={value as number | undefined} />;
    case 'secret':
      return <SecretField {...common} value={String(value ?? '')} />;
    case 'choice':
      return <ChoiceField {...common} value={String(value)} options={field.options} />;
    case 'number':
      return (
        <TextField
          {...{ label, help, error }}
          type="number"
          required
          min={0}
          value={String(value ?? '')}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      );
    default:
      return (
        <TextField
          {...{ label, help, error }}
          value={String(value ?? '')}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange(target.value)}
        />
      );
  }
}
