import { DESCRIPTIONS } from '../../config/realm-file/realm-descriptions.js';
import { REALM_SCHEMA, SHARED_SCHEMAS } from '../../config/realm-file/realm-schema.js';
import { brokenPromises, UNBUILT_LOCKS } from '../../config/realm-file/unbuilt-locks.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { realmSettings } from '../../realms/built-ins/realm-defaults.js';
import { code, codes, page, plain, sentence, table } from './markdown.js';
import { hostSources, type Source } from './sources.js';

type Schema = Readonly<Record<string, unknown>>;

/** What checks, compares, exports, masks or shows a realm names its settings and does not act on them. */
const DOES_NOT_ACT =
  /^core\/(spi|commands|realms\/(export|comparison)|config|admin\/(clients\/(sent|shown|new)-client|partial-))|\/(representation|realm-defaults|secret-names|unproven-logins)\.ts$|-checks\.ts$/;
/** Settings of one of two policies: code puts their names together. */
const POLICY = /^webAuthnPolicy(Passwordless)?(?=[A-Z])/;

const PROPERTIES: Readonly<Record<string, Schema>> = REALM_SCHEMA.properties;

/** Objects in a realm, each with the key of its descriptions. */
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

/** Every setting of a realm file: the schema, what it says of each, its default, and whether code reads it. */
export async function realmPage(): Promise<string> {
  const acting = (await hostSources()).filter(({ path }) => !DOES_NOT_ACT.test(path));
  const defaults: Readonly<Record<string, unknown>> = { ...realmSettings({ realm: '' }) };
  const locks = unbuilt();
  return page(
    'Realm settings',
    'A [realm file](../../../realms/README.md) is a Keycloak realm in JSON. The Admin REST API has the same members. `keyhost schema realm`\nprints the JSON Schema, with the settings of your plugins.',
    'The column *state* says what Keyhost does with a setting:\n\n- **used**: Keyhost acts on it.\n- **stored**: Keyhost keeps it, exports it and ignores it otherwise.\n- **not built**: the setting promises a protection that Keyhost does not have. `realm check` warns, and `keyhost start` refuses the\n  file.\n\nThe state comes from the source code: a setting counts as used if some part of Keyhost reads a member of that name. In the tables of\nobjects, an empty state means *used*.\n\nKeyhost stores other members that it does not know. A name that is nearly a known one is a mistake.',
    '## Realm',
    settings(PROPERTIES, DESCRIPTIONS.realm, (name) => [
      defaultOf(name === 'realm' ? undefined : defaults[name]),
      locks.has(name) ? '**not built**' : isRead(acting, name) ? 'used' : 'stored',
    ]),
    ...OBJECTS.flatMap(([title, where, schema, kind]) => [
      `## ${title}`,
      `In ${where}.`,
      objectTable(schema, kind, acting),
    ]),
    '## Not built',
    'Keyhost does not have these protections. A value that requests one is a warning of `realm check`, and a mistake of\n`keyhost start`. Attributes are in `attributes` of a client, `filteredByClaim` in `config` of an identity provider.',
    table(
      ['setting', 'what happens instead'],
      [...locks].map(([name, text]) => [code(name), sentence(text)]),
    ),
  );
}

function settings(
  members: Readonly<Record<string, Schema>>,
  descriptions: Readonly<Record<string, string>>,
  more: (name: string) => readonly [standard: string, state: string],
): string {
  const rows = Object.entries(members)
    .filter(([name]) => name !== '$schema')
    .map(([name, schema]) => [code(name), typeOf(schema), ...more(name), sentence(descriptions[name] ?? '')]);
  return table(['setting', 'type', 'default', 'state', 'meaning'], rows);
}

/** Where the names of an object are too common to be looked for, the table says nothing of their state. */
function objectTable(schema: Schema, kind: string, acting: readonly Source[]): string {
  const descriptions: Readonly<Record<string, string>> = Object.hasOwn(DESCRIPTIONS, kind)
    ? DESCRIPTIONS[kind as keyof typeof DESCRIPTIONS]
    : {};
  const required = (schema.required ?? []) as readonly string[];
  const rows = Object.entries(membersOf(schema)).map(([name, member]) => [
    code(name),
    typeOf(member),
    required.includes(name) ? 'required' : isRead(acting, name) ? '' : 'stored',
    sentence(descriptions[name] ?? ''),
  ]);
  return table(['member', 'type', 'state', 'meaning'], rows);
}

function isRead(sources: readonly Source[], name: string): boolean {
  const bare =
    POLICY.test(name) && name !== 'webAuthnPolicyPasswordlessPasskeysEnabled' ? name.replace(POLICY, '') : name;
  const word = new RegExp(`(?<![\\w$])${bare}(?![\\w$])`);
  return sources.some(({ text }) => word.test(text));
}

/** The settings that promise a protection which is not built, and what happens instead. */
function unbuilt(): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of UNBUILT_LOCKS) {
    for (const value of ['true', 1]) {
      const realm = {
        realm: 'x',
        [name]: value,
        clients: [{ clientId: 'x', attributes: { [name]: String(value) } }],
        identityProviders: [{ alias: 'x', config: { [name]: String(value) } }],
      };
      for (const { message } of brokenPromises(realm as RealmRepresentation))
        found.set(name, message.slice(message.indexOf(': ') + 2));
    }
  }
  return found;
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
