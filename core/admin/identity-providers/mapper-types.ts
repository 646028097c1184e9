import { IDENTITY_PROVIDER_MAPPERS } from '../../model/identity-provider.js';
import type { AdminTexts } from '../admin-texts.js';
import { type ConfigProperty, field } from '../server-info/config-property.js';
import { GERMAN_MAPPER_NAMES } from './mapper-german.js';

type MapperType = (typeof IDENTITY_PROVIDER_MAPPERS)[number];

const CLAIM = field('claim', 'String', 'Claim', {
  helpText: 'A dot selects a member of an object; write "\\." for a dot.',
});
const ROLE = field('role', 'Role', 'Role');
const GROUP = field('group', 'String', 'Group', { helpText: 'Its path.' });
const CLAIMS = field('claims', 'Text', 'Claims', { helpText: 'JSON: [{"key": …, "value": …}]' });
const BY_PATTERN = field('are.claim.values.regex', 'boolean', 'Regex Claim Values');
const ATTRIBUTE = [field('attribute', 'String', 'Name'), field('attribute.value', 'String', 'Value')];

/** Keycloak's identity provider mappers that this host supports: name, category, fields. */
const TYPES: Readonly<Record<MapperType, readonly [string, string, readonly ConfigProperty[]]>> = {
  'oidc-user-attribute-idp-mapper': [
    'Attribute Importer',
    'Attribute Importer',
    [CLAIM, field('user.attribute', 'String', 'User Attribute Name')],
  ],
  'oidc-username-idp-mapper': [
    'Username Template Importer',
    'Preprocessor',
    [field('template', 'String', 'Template', { helpText: 'Such as ${ALIAS}.${CLAIM.email | localpart}' })],
  ],
  'oidc-role-idp-mapper': [
    'Claim to Role',
    'Role Importer',
    [CLAIM, field('claim.value', 'String', 'Claim Value'), ROLE],
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
      const properties = fields.map((property) => ({ ...property, label: translate(property.label), helpText: translate(property.helpText) }));
      return [id, { id, name: translate(name), category, helpText: '', properties }];
    }),
  );
}

const TEXT_SOURCE = { plugin: { messages: { de: GERMAN_MAPPER_NAMES } } };
