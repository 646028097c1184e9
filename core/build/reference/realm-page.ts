import { DESCRIPTIONS } from '../../config/realm-file/schema/realm-descriptions.js';
import { REALM_SCHEMA, SHARED_SCHEMAS } from '../../config/realm-file/schema/realm-schema.js';
import { KEYCLOAK_SETTINGS } from '../../config/settings/keycloak-settings.js';
import type { Settings } from '../../config/settings/setting-state.js';
import { realmSettings } from '../../realms/built-ins/realm-defaults.js';
import { code, codes, page, plain, sentence, table } from './markdown.js';

type Schema = Readonly<Record<string, unknown>>;

const PROPERTIES: Readonly<Record<string, Schema>> = REALM_SCHEMA.properties;

/** Objects in a realm: the title of the section, their place, their schema, and the key of their descriptions. */
const OBJECTS: readonly [title: string, where: string, schema: Schema, kind: string][] = [
  ['Clients', '`clients[]`', itemOf('clients'), 'client'],
  ['Client scopes', '`clientScopes[]`', itemOf('clientScopes'), 'clientScope'],
  [
    'Protocol mappers',
    '`protocolMappers[]` of a client or a client scope',
    itemsOf(membersOf(itemOf('clients')).protocolMappers),
    'protocolMapper',
  ],
  ['Impersonation', '`impersonation` of a client', membersOf(itemOf('clients')).impersonation ?? {}, 'impersonation'],
  ['Roles', '`roles.realm[]`, `roles.client.<clientId>[]`, `defaultRole`', PROPERTIES.defaultRole ?? {}, 'role'],
  ['Groups', '`groups[]`, `subGroups[]`', SHARED_SCHEMAS[0], 'group'],
  ['Users', '`users[]`', itemOf('users'), 'user'],
  ['Credentials', '`credentials[]` of a user', itemsOf(membersOf(itemOf('users')).credentials), 'credential'],
  ['Identity providers', '`identityProviders[]`', itemOf('identityProviders'), 'identityProvider'],
  [
    'Identity provider mappers',
    '`identityProviderMappers[]`',
    itemOf('identityProviderMappers'),
    'identityProviderMapper',
  ],
  ['Required actions', '`requiredActions[]`', itemOf('requiredActions'), 'requiredAction'],
  ['Authentication flows', '`authenticationFlows[]`', itemOf('authenticationFlows'), 'flow'],
  [
    'Executions',
    '`authenticationExecutions[]` of a flow',
    itemsOf(membersOf(itemOf('authenticationFlows')).authenticationExecutions),
    'execution',
  ],
  ['Components', '`components.<type>[]`', SHARED_SCHEMAS[1], 'component'],
  ['Mail server', '`smtpServer`', PROPERTIES.smtpServer ?? {}, 'smtpServer'],
];

/** The class of Keycloak for each kind of object, by which KEYCLOAK_SETTINGS lists its members. */
const KEYCLOAK_CLASSES: Readonly<Record<string, string>> = {
  client: 'Client',
  clientScope: 'ClientScope',
  protocolMapper: 'ProtocolMapper',
  role: 'Role',
  group: 'Group',
  user: 'User',
  credential: 'Credential',
  identityProvider: 'IdentityProvider',
  identityProviderMapper: 'IdentityProviderMapper',
  requiredAction: 'RequiredActionProvider',
  flow: 'AuthenticationFlow',
  execution: 'AuthenticationExecutionExport',
  component: 'ComponentExport',
};

/** Returns the page with every setting of a realm file: description, default and state. */
export async function realmPage(): Promise<string> {
  const defaults: Readonly<Record<string, unknown>> = { ...realmSettings({ realm: '' }) };
  return page(
    'Realm settings',
    'A [realm file](../../../realms/README.md) is a Keycloak realm in JSON. The Admin REST API has the same members. `keyhost schema realm`\nprints the JSON Schema, with the settings of your plugins.',
    'The column *state* says what Keyhost does with a setting:\n\n- **used**: Keyhost acts on it.\n- **stored**: Keyhost keeps it and exports it, but does not act on it. `realm check` warns about a value that asks for something.\n- **not built**: the setting promises a protection that Keyhost does not have. `realm check` warns, and `keyhost start` refuses the\n  file.\n\nIn the tables of objects, an empty state means *used*. [Settings of Keycloak](keycloak-settings.md) says of each stored setting what\nhappens instead, and has attributes and the settings of mappers, steps, policies, keys and validators, too.\n\nKeyhost stores other members that it does not know. A name that is nearly a known one is a mistake.',
    '## Realm',
    settings(PROPERTIES, DESCRIPTIONS.realm, (name) => [
      defaultOf(name === 'realm' ? undefined : defaults[name]),
      stateOf(KEYCLOAK_SETTINGS.Realm, name) || 'used',
    ]),
    ...OBJECTS.flatMap(([title, where, schema, kind]) => [`## ${title}`, `In ${where}.`, objectTable(schema, kind)]),
  );
}

function settings(
  members: Readonly<Record<string, Schema>>,
  descriptions: Readonly<Record<string, string>>,
  defaultAndState: (name: string) => readonly [standard: string, state: string],
): string {
  const rows = Object.entries(members)
    .filter(([name]) => name !== '$schema')
    .map(([name, schema]) => [
      code(name),
      typeOf(schema),
      ...defaultAndState(name),
      sentence(descriptions[name] ?? ''),
    ]);
  return table(['setting', 'type', 'default', 'state', 'meaning'], rows);
}

function objectTable(schema: Schema, kind: string): string {
  const descriptions: Readonly<Record<string, string>> = Object.hasOwn(DESCRIPTIONS, kind)
    ? DESCRIPTIONS[kind as keyof typeof DESCRIPTIONS]
    : {};
  const required = (schema.required ?? []) as readonly string[];
  const rows = Object.entries(membersOf(schema)).map(([name, member]) => [
    code(name),
    typeOf(member),
    required.includes(name) ? 'required' : stateOf(KEYCLOAK_SETTINGS[KEYCLOAK_CLASSES[kind] ?? ''], name),
    sentence(descriptions[name] ?? ''),
  ]);
  return table(['member', 'type', 'state', 'meaning'], rows);
}

/** Returns the state of a setting; empty if it is used. */
function stateOf(states: Settings | undefined, name: string): string {
  const state = states !== undefined && Object.hasOwn(states, name) ? states[name] : undefined;
  if (state?.state !== 'ignored') return '';
  return state.isProtection ? '**not built**' : 'stored';
}

function defaultOf(value: unknown): string {
  if (value === undefined) return '';
  if (value === '') return 'empty';
  if (typeof value !== 'object' || value === null) return code(String(value));
  if (Array.isArray(value)) return value.length === 0 ? 'none' : codes(value as string[]);
  const isEmpty = Object.values(value).every((member) => Array.isArray(member) && member.length === 0);
  return isEmpty ? 'none' : "Keycloak's";
}

function typeOf(schema: Schema): string {
  const { enum: words, type, items, additionalProperties, minimum, $ref } = schema;
  if (Array.isArray(words)) return codes(words.filter((word) => word !== '') as string[]);
  if (typeof $ref === 'string') return plain($ref.replace('keyhost:', ''));
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return `list of ${plural(typeOf((items ?? {}) as Schema))}`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `map of ${plural(typeOf(additionalProperties as Schema))}`;
  }
  return `${String(type ?? 'any')}${typeof minimum === 'number' && minimum > 0 ? `, ${minimum} or more` : ''}`;
}

function plural(type: string): string {
  if (type.startsWith('`')) return type;
  return type.startsWith('list') || type.startsWith('map') ? `${type.replace(/^(list|map)/, '$1s')}` : `${type}s`;
}

function membersOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return (schema?.properties ?? {}) as Readonly<Record<string, Schema>>;
}

function itemsOf(schema: Schema | undefined): Schema {
  return (schema?.items ?? {}) as Schema;
}

function itemOf(name: string): Schema {
  return itemsOf(PROPERTIES[name]);
}
