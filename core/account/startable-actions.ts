import { actionProviderOf } from '../login/required-actions/action-providers.js';
import { enabledRequiredAction } from '../realms/enabled-required-actions.js';
import { type AccountRole, hasAnyRole } from './account.js';
import type { AccountRequest } from './account-request.js';

/** Aliases of Keycloak's required actions that the account page offers. */
export const ACTIONS = {
  password: 'UPDATE_PASSWORD',
  updateEmail: 'UPDATE_EMAIL',
  verifyEmail: 'VERIFY_EMAIL',
  link: 'idp_link',
  deleteAccount: 'delete_account',
} as const;

const DEFAULT_ROLES: readonly AccountRole[] = ['manage-account'];
/** The roles for starting an action, if they differ from the default. */
const ROLES_BY_ACTION: Readonly<Record<string, readonly AccountRole[]>> = {
  [ACTIONS.link]: ['manage-account', 'manage-account-links'],
  [ACTIONS.deleteAccount]: ['delete-account'],
};

type ActionContext = Pick<AccountRequest, 'exchange' | 'hostSession' | 'roles' | 'parts'> &
  Parameters<typeof hasAnyRole>[0];

/** True for an action that the realm enables, that has a provider, and that this user may start. */
export function canStartAction(request: ActionContext, action: string): boolean {
  const [alias = '', parameter] = action.split(':', 2);
  const types = request.parts.credentialTypes.all(request.exchange.realm);
  const isKnown =
    Object.values<string>(ACTIONS).includes(alias) || types.some(({ createAction }) => createAction === alias);
  if (!isKnown || (parameter !== undefined) !== (alias === ACTIONS.link)) return false;
  if (!hasAnyRole(request, ...(Object.hasOwn(ROLES_BY_ACTION, alias) ? (ROLES_BY_ACTION[alias] ?? []) : DEFAULT_ROLES)))
    return false;
  const requiredAction = enabledRequiredAction(request.exchange.realm, alias);
  const enabled = requiredAction && actionProviderOf(request.hostSession, requiredAction);
  return enabled?.registered.declaration.initiable === true;
}
