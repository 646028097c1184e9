import { ActionTokenHandler, provide } from '@keyhost/spi';
import { LINK_TYPE } from './invitation-mail.js';
import { Joining } from './joining.js';
import { notFound } from './refusals.js';
import { LINK } from './texts.js';

const OVER = { error: 'expired_code', message: LINK.over.key, texts: LINK.over.texts };
const SOMEBODY_ELSE = { error: 'different_user_authenticated', message: LINK.other.key, texts: LINK.other.texts };

/** The link of an invitation: a page with a button that makes the user a member. */
export const invitationLink = provide(ActionTokenHandler, {
  id: LINK_TYPE,
  describe: { displayName: 'Invitation', helpText: 'Makes users members of the organization that invited them.' },
  claims: {
    type: 'object',
    properties: { org_id: { type: 'string' }, invitation_id: { type: 'string' } },
    required: ['org_id', 'invitation_id'],
    additionalProperties: false,
  },
  eventType: 'EXECUTE_ACTION_TOKEN',
  defaultError: 'invalid_request',
  defaultMessage: 'invalidRequestMessage',
  open: () => ({
    create(session) {
      const joining = new Joining(session);
      return {
        reusable: async () => false,

        async verify({ id, claims }, { user, browserUser }) {
          const open = await joining.find(user, claims.org_id, claims.invitation_id);
          if (open?.invitation.link !== id) return OVER;
          const signedIn = await browserUser();
          return signedIn === undefined || signedIn.id === user.id ? undefined : SOMEBODY_ELSE;
        },

        async confirm({ claims }, { user }) {
          const open = await joining.find(user, claims.org_id, claims.invitation_id);
          if (open === undefined) return true;
          const { displayName, name } = open.organization;
          return { title: LINK.title, text: { ...LINK.text, params: [displayName ?? name, open.invitation.email] } };
        },

        async handle({ claims }, { user }) {
          const open = await joining.find(user, claims.org_id, claims.invitation_id);
          if (open === undefined || !(await joining.accept(open, { userId: user.id }))) throw notFound('Invitation');
          const { displayName, name } = open.organization;
          return { info: { title: LINK.title, text: { ...LINK.done, params: [displayName ?? name] } } };
        },
      };
    },
  }),
});
