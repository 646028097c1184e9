import { type JsonObject, type JsonSchema, ProtocolMapper, provide, type Session } from '@keyhost/spi';
import { Members } from './members.js';
import { type Organization, type OrganizationRole, rolesOf } from './organization.js';
import { Organizations } from './organizations.js';

const flag = (title: string, defaultValue = true): JsonSchema => ({ type: 'boolean', title, default: defaultValue });

const SETTINGS: JsonSchema = {
  type: 'object',
  properties: {
    'claim.name': { type: 'string', title: 'Token Claim Name', default: 'organizations' },
    'id.token.claim': flag('Add to ID token'),
    'access.token.claim': flag('Add to access token'),
    'lightweight.claim': flag('Add to lightweight access token', false),
    'userinfo.token.claim': flag('Add to userinfo'),
    'introspection.token.claim': flag('Add to token introspection'),
  },
};

/** A claim with the user's organizations by ID. @param toClaimValue returns the claim's content for one of them */
function mapper(
  id: string,
  describe: { readonly displayName: string; readonly helpText: string },
  toClaimValue: (organization: Organization, roles: readonly OrganizationRole[]) => JsonObject,
) {
  return provide(ProtocolMapper, {
    id,
    describe,
    settings: SETTINGS,
    open: () => ({
      create: (session: Session) => ({
        async map({ config, user }) {
          const name = config['claim.name'] || 'organizations';
          if (user === undefined) return {};
          const members = new Members(session, new Organizations(session));
          const claim: [string, JsonObject][] = [];
          for await (const { organization, roles } of members.membershipsOf(user.id)) {
            claim.push([organization.id, toClaimValue(organization, rolesOf(organization, roles))]);
          }
          return { [name]: Object.fromEntries(claim) };
        },
      }),
    }),
  });
}

export const roleMapper = mapper(
  'oidc-organization-role-mapper',
  {
    displayName: 'Organization Role',
    helpText: "A claim with the user's organizations, and the user's roles in each.",
  },
  ({ name }, roles) => ({ name, roles: roles.map((role) => role.name) }),
);

export const attributeMapper = mapper(
  'oidc-organization-attribute-mapper',
  { displayName: 'Organization Attribute', helpText: "A claim with the user's organizations and their attributes." },
  ({ name, attributes }) => ({ name, attributes }),
);
