import type { Plugin } from '@keyhost/spi';
import { erasedUsers } from './erased-users.js';
import { invitationAction } from './invitation-action.js';
import { invitationLink } from './invitation-link.js';
import { attributeMapper, roleMapper } from './mappers.js';
import { MESSAGES } from './messages.js';
import { orgsResource } from './orgs-resource.js';
import { usersResource } from './users-resource.js';

/** Organizations with members, roles, invitations and a claim of tokens (p2-inc/keycloak-orgs). */
export default {
  name: '@keyhost/organizations',
  api: 1,
  messages: MESSAGES,
  needs: {
    'view-users': 'It finds the account that an invitation is for.',
    'send-mail': 'It mails invitations to users.',
    'mail-any-address': 'It mails invitations to people who have no account yet.',
  },
  providers: [orgsResource, usersResource, roleMapper, attributeMapper, invitationLink, invitationAction, erasedUsers],
} satisfies Plugin;
