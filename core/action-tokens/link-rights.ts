import { Authenticator, type AuthenticatorDeclaration, type LinkedActions, type PluginRight } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import { REALM_MANAGEMENT_COMPOSITES } from '../model/built-in-names.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { Providers } from '../registry/generations/generation.js';
import type { RightRefusals } from '../registry/sessions/right-refusals.js';
import { type LinkIssuer, rightsIn } from './link-issuer.js';
import type { LinkLogins } from './link-logins.js';
import { refused } from './refused.js';
import type { LinkEventData, VerifiedActionToken } from './verify-action-token.js';

/*
 * A link that only runs its handler needs no right. A login or required actions after it are what a plugin gets by
 * `session.loginLinks` and by `execute-actions` of the Admin API, and need the same rights: both of the plugin that
 * handles the link, and of the plugin that issued it.
 */

type Rights = LinkIssuer['rights'];

export interface LinkRightsParts {
  readonly refusals: RightRefusals;
  readonly linkLogins: Pick<LinkLogins, 'pendingAuthenticator'>;
}

/**
 * Checks a plugin handler's answer for a link, before it takes effect.
 * @param joined the authentication session of the browser that the link continues; undefined if there is none
 * @throws Refused
 */
export async function requireLinkRights(
  { refusals, linkLogins }: LinkRightsParts,
  progress: LinkEventData,
  { handler: { registered }, user, issuedBy }: VerifiedActionToken,
  linked: LinkedActions,
  joined: string | undefined,
): Promise<void> {
  if (registered.plugin.builtin) return;
  const { exchange } = progress;
  const { realm, ctx } = exchange;
  // A pending step could prove the same user and require the same actions by its own answer.
  const isOwnStep = joined !== undefined && (await waitsAtStepOf(linkLogins, exchange, joined, registered.plugin.name));
  const plugins: (readonly [name: string, rights: Rights])[] = isOwnStep
    ? []
    : [[registered.plugin.name, rightsIn(registered.plugin.rights, realm.name)]];
  if (issuedBy !== undefined) plugins.push([issuedBy, rightsOf(ctx.providers, issuedBy, realm)]);
  for (const [plugin, rights] of plugins) {
    const missing = missingRight(realm, user, linked, rights);
    if (missing === undefined) continue;
    const operation = `the link ${registered.id}`;
    progress.details.reason = refusals.refuse(plugin, realm.name, missing, operation).message;
    throw refused('not_allowed', 'invalidRequestMessage');
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
  return isAdmin && !covers(realm, user, rights) ? 'realm-admin' : undefined;
}

/**
 * True if the plugin holds every administration right that the user holds, as required of an administrator who sends
 * `execute-actions`.
 */
function covers(realm: Realm, user: User, rights: Rights): boolean {
  const held = new Set([...rights].flatMap((right) => [right, ...(REALM_MANAGEMENT_COMPOSITES[right] ?? [])]));
  const isOnlyOfRealm = [...user.effectiveRoles(realm)].every(
    ({ clientId, name }) =>
      clientId !== 'realm-management' || rights.has('realm-admin') || (held as ReadonlySet<string>).has(name),
  );
  // A plugin cannot hold the roles of `master` over all realms.
  return isOnlyOfRealm && realm.name !== MASTER_REALM;
}

async function waitsAtStepOf(
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
  const found = providers.list().find((one) => !one.plugin.builtin && one.plugin.name === plugin);
  return rightsIn(found?.plugin.rights, name);
}
