import { Authenticator, type AuthenticatorDeclaration, type LinkedActions, type PluginRight } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import { REALM_MANAGEMENT_COMPOSITES } from '../model/built-in-names.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { Providers } from '../registry/generations/generation.js';
import type { RightRefusals } from '../registry/sessions/right-refusals.js';
import { createRefusal } from './action-token-refusal.js';
import { type LinkIssuer, rightsIn } from './link-issuer.js';
import type { LinkLogins } from './link-logins.js';
import type { LinkEventData, VerifiedActionToken } from './verify-action-token.js';

/*
 * A link that only runs its handler needs no right. If a login or required actions follow, it needs the rights of
 * `session.loginLinks` and of `execute-actions` in the Admin API, because it has the same effect. Both the plugin that
 * handles the link and the plugin that issued it must have them.
 */

type Rights = LinkIssuer['rights'];

export interface LinkRightsParts {
  readonly refusals: RightRefusals;
  readonly linkLogins: Pick<LinkLogins, 'pendingAuthenticator'>;
}

/**
 * Checks a plugin handler's answer for a link, before it takes effect.
 * @param joinedSession the name of the browser's authentication session that the link continues; undefined if there is
 * none
 * @throws ActionTokenRefusal
 */
export async function requireLinkRights(
  { refusals, linkLogins }: LinkRightsParts,
  eventData: LinkEventData,
  { handler: { registered }, user, issuedBy }: VerifiedActionToken,
  linkedActions: LinkedActions,
  joinedSession: string | undefined,
): Promise<void> {
  if (registered.plugin.builtin) return;
  const { exchange } = eventData;
  const { realm, ctx } = exchange;
  // A pending step of this plugin could itself prove the user and require the same actions.
  const isOwnPendingStep =
    joinedSession !== undefined &&
    (await isWaitingForStepOf(linkLogins, exchange, joinedSession, registered.plugin.name));
  const plugins: (readonly [name: string, rights: Rights])[] = isOwnPendingStep
    ? []
    : [[registered.plugin.name, rightsIn(registered.plugin.rights, realm.name)]];
  if (issuedBy !== undefined) plugins.push([issuedBy, rightsOf(ctx.providers, issuedBy, realm)]);
  for (const [plugin, rights] of plugins) {
    const missing = missingRight(realm, user, linkedActions, rights);
    if (missing === undefined) continue;
    const operation = `the link ${registered.id}`;
    eventData.details.reason = refusals.refusalError(plugin, realm.name, missing, operation).message;
    throw createRefusal('not_allowed', 'invalidRequestMessage');
  }
}

function missingRight(
  realm: Realm,
  user: User,
  { requiredActions, provesUser }: LinkedActions,
  rights: Rights,
): PluginRight | undefined {
  const isAdmin = user.isAdmin(realm);
  if (provesUser === true) {
    if (!rights.has('issue-login-links')) return 'issue-login-links';
    if (isAdmin && !rights.has('manage-admins')) return 'manage-admins';
  }
  if (requiredActions.length === 0) return undefined;
  if (!rights.has('manage-users') && !rights.has('realm-admin')) return 'manage-users';
  if (isAdmin && !rights.has('manage-admins')) return 'manage-admins';
  return isAdmin && !coversUserRights(realm, user, rights) ? 'realm-admin' : undefined;
}

/**
 * True if the plugin holds every administration right that the user holds. An administrator who sends `execute-actions`
 * needs them too.
 */
function coversUserRights(realm: Realm, user: User, rights: Rights): boolean {
  const heldRights = new Set([...rights].flatMap((right) => [right, ...(REALM_MANAGEMENT_COMPOSITES[right] ?? [])]));
  const coversRealmRoles = [...user.effectiveRoles(realm)].every(
    ({ clientId, name }) =>
      clientId !== 'realm-management' || rights.has('realm-admin') || (heldRights as ReadonlySet<string>).has(name),
  );
  // A plugin cannot hold the roles of `master` over all realms.
  return coversRealmRoles && realm.name !== MASTER_REALM;
}

async function isWaitingForStepOf(
  linkLogins: LinkRightsParts['linkLogins'],
  exchange: Exchange,
  login: string,
  plugin: string,
): Promise<boolean> {
  const id = await linkLogins.pendingAuthenticator(exchange, login);
  const step = id === undefined ? undefined : exchange.ctx.providers.find(Authenticator, id);
  const { describe } = (step?.declaration ?? {}) as AuthenticatorDeclaration;
  return step?.plugin.builtin === false && step.plugin.name === plugin && describe?.proves === true;
}

function rightsOf(providers: Providers, plugin: string, { name }: Realm): Rights {
  const found = providers.list().find((provider) => !provider.plugin.builtin && provider.plugin.name === plugin);
  return rightsIn(found?.plugin.rights, name);
}
