import { providerOf } from '../login/required-actions/action-providers.js';
import { listedAction } from '../realms/listed-required-actions.js';
import { type AccountRole, hasAnyRole } from './account.js';
import type { AccountRequest } from './account-request.js';

/** Keycloak's actions that the account page offers, by their aliases. */
export const ACTION = {
  password: 'UPDATE_PASSWORD',
  updateEmail: 'UPDATE_EMAIL',
  verifyEmail: 'VERIFY_EMAIL',
  link: 'idp_link',
  deleteAccount: 'delete_account',
} as const;

const MANAGING: readonly AccountRole[] = ['manage-account'];
/** The roles for starting an action, if they are not the usual ones. */
const ROLES: Readonly<Record<string, readonly AccountRole[]>> = {
  [ACTION.link]: ['manage-account', 'manage-account-links'],
  [ACTION.deleteAccount]: ['delete-account'],
};

type Visitor = Pick<AccountRequest, 'exchange' | 'hostSession' | 'roles' | 'parts'> & Parameters<typeof hasAnyRole>[0];

/** True for an action that the realm enables, that has a provider, and that this user may start. */
export function canStartAction(visit: Visitor, action: string): boolean {
  const [alias = '', parameter] = action.split(':', 2);
  const types = visit.parts.types.all(visit.exchange.realm);
  const isKnown =
    Object.values<string>(ACTION).includes(alias) || types.some(({ createAction }) => createAction === alias);
  if (!isKnown || (parameter !== undefined) !== (alias === ACTION.link)) return false;
  if (!hasAnyRole(visit, ...(Object.hasOwn(ROLES, alias) ? (ROLES[alias] ?? []) : MANAGING))) return false;
  const listed = listedAction(visit.exchange.realm, alias);
  const enabled = listed && providerOf(visit.hostSession, listed);
  return enabled?.registered.declaration.initiable === true;
}
