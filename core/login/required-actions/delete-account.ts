import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { LAST_ADMINISTRATOR } from '../../users/last-administrator.js';
import type { Users } from '../../users/users.js';
import type { SessionEnder } from '../logout/session-ender.js';

/**
 * Keycloak's delete_account: users with the role `delete-account` of the client `account` delete their own accounts.
 */
export function deleteAccount({
  users,
  sessionEnder,
}: {
  users: Users;
  sessionEnder: SessionEnder;
}): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'delete_account',
    displayText: 'Delete Account',
    eventType: 'DELETE_ACCOUNT',
    oneTime: true,
    initiable: true,
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const isAllowed = async (id: string) => {
          const user = await users.byId(realm, id);
          return user?.roleNames(realm).clients.account?.includes('delete-account') === true;
        };
        return {
          challenge: async ({ user, initiated }) => ((await isAllowed(user.id)) ? pageOf(initiated) : NOT_ALLOWED),
          async action({ user, initiated }, form): Promise<RequiredActionStep> {
            if (!(await isAllowed(user.id))) return NOT_ALLOWED;
            if (form['cancel-aia'] !== undefined) return pageOf(initiated);
            if (await isLastAdministrator(users, realm, user.id)) return LAST_ADMINISTRATOR_FAILURE;
            // Notify applications first: the user's client sessions are deleted together with the user.
            await sessionEnder.endAll(realm, { userId: user.id });
            await users.remove(realm, user.id);
            return { outcome: 'success', details: { username: user.username } };
          },
        };
      },
    }),
  });
}

async function isLastAdministrator(users: Users, realm: Realm, id: string): Promise<boolean> {
  const user = await users.byId(realm, id);
  if (user === undefined) return false;
  try {
    await users.requireRemovable(realm, user);
    return false;
  } catch (error) {
    if (codeOf(error) === LAST_ADMINISTRATOR) return true;
    throw error;
  }
}

function pageOf(initiated: boolean): RequiredActionStep {
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'deleteAccountConfirm' },
      text: { key: 'deletingImplies' },
      fields: [],
      submit: { key: 'doConfirmDelete' },
      ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
    },
  };
}

const LAST_ADMINISTRATOR_FAILURE: RequiredActionStep = {
  outcome: 'failure',
  error: 'not_allowed',
  message: { key: 'lastAdministrator' },
};

const NOT_ALLOWED: RequiredActionStep = {
  outcome: 'failure',
  error: 'not_allowed',
  message: { key: 'accountForbidden' },
};
