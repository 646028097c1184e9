import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { Users } from '../../realms/users.js';
import type { HostSession } from '../../registry/session.js';
import type { SessionEnding } from '../logout/session-ending.js';

/** Keycloak's delete_account: users with the role `delete-account` of the client `account` delete themselves. */
export function deleteAccount({ users, ending }: { users: Users; ending: SessionEnding }): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'delete_account',
    displayText: 'Delete Account',
    eventType: 'DELETE_ACCOUNT',
    oneTime: true,
    initiable: true,
    open: () => ({
      create: (session) => {
        const realm = (session as HostSession).compiledRealm;
        const isAllowed = async (id: string) => {
          const user = await users.byId(realm, id);
          return user?.roleNames(realm).clients.account?.includes('delete-account') === true;
        };
        return {
          challenge: async ({ user }) => ((await isAllowed(user.id)) ? PAGE : REFUSED),
          async action({ user, initiated }, form): Promise<RequiredActionStep> {
            if (!(await isAllowed(user.id))) return REFUSED;
            // What nobody began cannot be cancelled either: the user is asked until the answer is yes.
            if (!initiated && form['cancel-aia'] !== undefined) return PAGE;
            // Applications are told first: what they hold of the sessions is gone with the user.
            await ending.endAll(realm, { userId: user.id });
            await users.remove(realm, user.id);
            return { outcome: 'success', details: { username: user.username } };
          },
        };
      },
    }),
  });
}

const PAGE: RequiredActionStep = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'deleteAccountConfirm' },
    text: { key: 'deletingImplies' },
    fields: [],
    submit: { key: 'doConfirmDelete' },
    cancel: { key: 'doCancel' },
  },
};

const REFUSED: RequiredActionStep = {
  outcome: 'failure',
  error: 'not_allowed',
  message: { key: 'accountForbidden' },
};
