import { provide, RealmResourceProvider } from '@keyhost/spi';
import { RequestContext } from './caller.js';
import { invitationMethods, invitationRoutes } from './invitation-routes.js';
import { memberMethods, memberRoutes } from './member-routes.js';
import { organizationMethods, organizationRoutes } from './organization-routes.js';
import { ownMethods, ownRoutes } from './own-routes.js';
import { roleMethods, roleRoutes } from './role-routes.js';
import { removeLeftovers } from './tidy.js';

/** The scope that access tokens must have. */
export const SCOPE = {
  type: 'string',
  title: 'Required scope',
  guarded: true,
  pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
  mustBe: 'one scope',
  description:
    'A scope that access tokens must have. Without it, the tokens of every client of the realm are accepted.',
} as const;

/** `/realms/{realm}/orgs`, with the paths of keycloak-orgs. */
export const orgsResource = provide(RealmResourceProvider, {
  id: 'orgs',
  realmConfig: {
    type: 'object',
    properties: {
      scope: SCOPE,
      invitationLifespan: {
        type: 'integer',
        title: 'Invitation lifespan',
        minimum: 60,
        maximum: 2_592_000,
        default: 604_800,
        description: 'Seconds until an invitation expires. Default: 7 days.',
      },
      applicationUris: {
        type: 'array',
        title: 'Application addresses',
        items: { type: 'string', pattern: '^https?://', format: 'uri', mustBe: 'an http or https address' },
        default: [],
        description:
          'Where invited users go: the first one, or the redirectUri of the invitation, which must have the origin of one of them. Default: the account page.',
      },
    },
    additionalProperties: false,
  },
  // `/me` and `/count` would otherwise be taken as IDs.
  routes: {
    ...ownRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...roleRoutes,
    ...invitationRoutes,
  },
  schedule: { cron: '17 3 * * *' },
  open: () => ({
    create(session, config) {
      const access = new RequestContext(session, config.scope);
      return {
        ...ownMethods(access),
        ...organizationMethods(access),
        ...memberMethods(access),
        ...roleMethods(access),
        ...invitationMethods(access, config),
        scheduled: ({ from }) => removeLeftovers(session, from),
      };
    },
  }),
});
