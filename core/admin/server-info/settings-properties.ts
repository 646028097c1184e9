import { type JsonSchema, settingText } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { type ConfigProperty, createField } from './config-property.js';

/** Types of fields whose values the admin selects from a list of the realm, by the format of the setting. */
const REALM_FIELD_TYPES: Readonly<Record<string, ConfigProperty['type']>> = {
  role: 'Role',
  client: 'ClientList',
  'user-attribute': 'UserProfileAttributeList',
};

/** Formats of list items whose values are selected from those of the realm or the host. */
const LIST_FORMATS = ['client-scope', 'protocol-mapper', 'credential-type'];

/**
 * Converts the settings of a provider to fields of Keycloak's admin console.
 * @param choices values by the format of the items
 */
export function settingsProperties(
  settings: JsonSchema | undefined,
  choices: Readonly<Record<string, readonly string[]>> = {},
): ConfigProperty[] {
  const { properties = {}, required = [] } = settings ?? {};
  return Object.entries(properties).map(([name, schema]) => {
    const { title, description, default: defaultValue, format, writeOnly } = schema;
    const options = optionsOf(schema) ?? choices[String(schema.items?.format)];
    return createField(name, typeOf(schema), typeof title === 'string' ? title : name, {
      ...defined({
        helpText: description,
        defaultValue: defaultValue === undefined ? undefined : settingText(defaultValue),
        options,
      }),
      secret: format === 'password' || writeOnly === true,
      required: required.includes(name),
    });
  });
}

function typeOf({ type, format, enum: choices, items }: JsonSchema): ConfigProperty['type'] {
  if (type === 'array') return hasChoices(items) ? 'MultivaluedList' : 'MultivaluedString';
  if (type === 'boolean') return 'boolean';
  if (choices !== undefined) return 'List';
  return REALM_FIELD_TYPES[String(format)] ?? 'String';
}

function hasChoices({ enum: choices, format }: JsonSchema = {}): boolean {
  return choices !== undefined || LIST_FORMATS.includes(String(format));
}

function optionsOf({ enum: choices, items }: JsonSchema): string[] | undefined {
  return (choices ?? items?.enum)?.map(String);
}
