import { useTexts } from '../messages/language.tsx';
import { type Config, type ShownProperty, VALUE_SEPARATOR } from './config-values.ts';
import { CheckField, ChoiceField, LinesField, TextField } from './field.tsx';
import { texts as mapperTexts } from './mapper-texts.ts';
import { SecretField } from './secret-field.tsx';
import { SuggestedField } from './suggested-field.tsx';

interface FieldsProps {
  readonly realm: string;
  readonly properties: readonly ShownProperty[];
  readonly value: Config;
  readonly isReadOnly?: boolean;
  readonly onChange: (change: Config) => void;
}

/** Settings that the host describes; each is stored as a text. */
export function ConfigFields({ realm, properties, value, isReadOnly = false, onChange }: FieldsProps) {
  const checks = properties.filter(({ type }) => type === 'boolean');
  const others = properties.filter(({ type }) => type !== 'boolean');
  return (
    <>
      {others.length > 0 && (
        <div className="field-pairs">
          {others.map((property) => (
            <OneField
              key={property.name}
              realm={realm}
              property={property}
              value={value[property.name] ?? ''}
              isReadOnly={isReadOnly || property.readOnly === true}
              onChange={(text) => onChange({ [property.name]: text })}
            />
          ))}
        </div>
      )}
      {checks.length > 0 && (
        <div className="checks">
          {checks.map(({ name, label, helpText }) => (
            <CheckField
              key={name}
              label={label}
              help={helpText}
              isOn={value[name] === 'true'}
              isReadOnly={isReadOnly}
              onTurn={(isOn) => onChange({ [name]: String(isOn) })}
            />
          ))}
        </div>
      )}
    </>
  );
}

function OneField(props: {
  realm: string;
  property: ShownProperty;
  value: string;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}) {
  const { realm, property, value, isReadOnly, onChange } = props;
  const { label, type, secret = false, required = false, options = [], optionLabels = {} } = property;
  const help = property.helpText || undefined;
  const strings = useTexts(mapperTexts);
  const shared = { label, value, help, isReadOnly, onChange };
  if (secret) return <SecretField {...shared} />;
  if (type === 'List') {
    return <ChoiceField {...shared} options={options.map((one) => [one, optionLabels[one] ?? one])} />;
  }
  if (type === 'MultivaluedList') {
    return <Checked {...shared} options={options} optionLabels={optionLabels} />;
  }
  if (type === 'MultivaluedString') {
    return (
      <LinesField
        {...shared}
        help={[help, strings.onePerLine].filter(Boolean).join(' ')}
        value={value.split(VALUE_SEPARATOR).join('\n')}
        onChange={(lines) => onChange(lines.split('\n').join(VALUE_SEPARATOR))}
      />
    );
  }
  if (type === 'Text' || type === 'Map' || type === 'File') return <LinesField {...shared} help={help ?? ''} />;
  if (type === 'Role' || type === 'ClientList') {
    return <SuggestedField {...shared} realm={realm} of={type} required={required} />;
  }
  return (
    <TextField
      label={label}
      help={help}
      value={value}
      required={required}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Checkboxes for some options. */
function Checked(props: {
  label: string;
  value: string;
  options: readonly string[];
  optionLabels: Readonly<Record<string, string>>;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}) {
  const { label, value, options, optionLabels, isReadOnly, onChange } = props;
  const chosen = value.split(VALUE_SEPARATOR).filter((one) => one !== '');
  return (
    <fieldset className="checks">
      <legend>{label}</legend>
      {options.map((one) => (
        <CheckField
          key={one}
          label={optionLabels[one] ?? one}
          isOn={chosen.includes(one)}
          isReadOnly={isReadOnly}
          onTurn={(isOn) =>
            onChange((isOn ? [...chosen, one] : chosen.filter((other) => other !== one)).join(VALUE_SEPARATOR))
          }
        />
      ))}
    </fieldset>
  );
}
