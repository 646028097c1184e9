import { type JsonSchema, settingText } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { type ConfigProperty, field } from './config-property.js';

/** Fields whose values come from a list of the realm, by the format of the setting. */
const CHOSEN: Readonly<Record<string, ConfigProperty['type']>> = {
  role: 'Role',
  client: 'ClientList',
  'user-attribute': 'UserProfileAttributeList',
};

/** Formats of list items whose values come from the realm or the host. */
const LISTED = ['client-scope', 'protocol-mapper', 'credential-type'];

/**
 * The settings of a provider in the form of Keycloak's admin console. @param choices values by the format of the items
 */
export function settingsProperties(
  settings: JsonSchema | undefined,
  choices: Readonly<Record<string, readonly string[]>> = {},
): ConfigProperty[] {
  const { properties = {}, required = [] } = settings ?? {};
  return Object.entries(properties).map(([name, schema]) => {
    const { title, description, default: standard, format, writeOnly } = schema;
    const options = optionsOf(schema) ?? choices[String(schema.items?.format)];
    return field(name, typeOf(schema), typeof title === 'string' ? title : name, {
      ...defined({
        helpText: description,
        defaultValue: standard === undefined ? undefined : settingText(standard),
        options,
      }),
      secret: format === 'password' || writeOnly === true,
      required: required.includes(name),
    });
  });
}

function typeOf({ type, format, enum: choices, items }: JsonSchema): ConfigProperty['type'] {
  if (type === 'array') return isChosen(items) ? 'MultivaluedList' : 'MultivaluedString';
  if (type === 'boolean') return 'boolean';
  if (choices !== undefined) return 'List';
  return CHOSEN[String(format)] ?? 'String';
}

function isChosen({ enum: choices, format }: JsonSchema = {}): boolean {
  return choices !== undefined || LISTED.includes(String(format));
}

function optionsOf({ enum: choices, items }: JsonSchema): string[] | undefined {
  return (choices ?? items?.enum)?.map(String);
}
