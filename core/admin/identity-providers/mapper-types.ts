import { IDENTITY_PROVIDER_MAPPERS } from '../../model/identity-provider.js';
import type { AdminTexts } from '../admin-texts.js';
import { type ConfigProperty, createField } from '../server-info/config-property.js';
import { GERMAN_MAPPER_NAMES } from './mapper-german.js';

type MapperType = (typeof IDENTITY_PROVIDER_MAPPERS)[number];

const CLAIM = createField('claim', 'String', 'Claim', {
  helpText: 'A dot selects a member of an object; write "\\." for a dot.',
});
const ROLE = createField('role', 'Role', 'Role');
const GROUP = createField('group', 'String', 'Group', { helpText: 'Its path.' });
const CLAIMS = createField('claims', 'Text', 'Claims', { helpText: 'JSON: [{"key": …, "value": …}]' });
const BY_PATTERN = createField('are.claim.values.regex', 'boolean', 'Regex Claim Values');
const ATTRIBUTE = [createField('attribute', 'String', 'Name'), createField('attribute.value', 'String', 'Value')];

/** Keycloak's identity provider mappers that this host supports: name, category, fields. */
const TYPES: Readonly<Record<MapperType, readonly [string, string, readonly ConfigProperty[]]>> = {
  'oidc-user-attribute-idp-mapper': [
    'Attribute Importer',
    'Attribute Importer',
    [CLAIM, createField('user.attribute', 'String', 'User Attribute Name')],
  ],
  'oidc-username-idp-mapper': [
    'Username Template Importer',
    'Preprocessor',
    [createField('template', 'String', 'Template', { helpText: 'Such as ${ALIAS}.${CLAIM.email | localpart}' })],
  ],
  'oidc-role-idp-mapper': [
    'Claim to Role',
    'Role Importer',
    [CLAIM, createField('claim.value', 'String', 'Claim Value'), ROLE],
  ],
  'oidc-hardcoded-role-idp-mapper': ['Hardcoded Role', 'Role Importer', [ROLE]],
  'oidc-advanced-role-idp-mapper': ['Advanced Claim to Role', 'Role Importer', [CLAIMS, BY_PATTERN, ROLE]],
  'oidc-advanced-group-idp-mapper': ['Advanced Claim to Group', 'Group Importer', [CLAIMS, BY_PATTERN, GROUP]],
  'oidc-hardcoded-group-idp-mapper': ['Hardcoded Group', 'Group Importer', [GROUP]],
  'hardcoded-attribute-idp-mapper': ['Hardcoded Attribute', 'Attribute Importer', ATTRIBUTE],
  'hardcoded-user-session-attribute-idp-mapper': ['Hardcoded User Session Attribute', 'Attribute Importer', ATTRIBUTE],
};

/**
 * Keycloak's IdentityProviderMapperTypeRepresentation of each mapper type. Categories are not translated, since the
 * admin console groups by them.
 */
export function identityProviderMapperTypes(texts: AdminTexts): Readonly<Record<string, object>> {
  const translate = (text: string) => texts.text(TEXT_SOURCE, text);
  return Object.fromEntries(
    IDENTITY_PROVIDER_MAPPERS.map((id) => {
      const [name, category, fields] = TYPES[id];
      const properties = fields.map((property) => ({
        ...property,
        label: translate(property.label),
        helpText: translate(property.helpText),
      }));
      return [id, { id, name: translate(name), category, helpText: '', properties }];
    }),
  );
}

const TEXT_SOURCE = { plugin: { messages: { de: GERMAN_MAPPER_NAMES } } };
