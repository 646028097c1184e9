import type { RequiredActionContext, RequiredActionStep } from '@keyhost/spi';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { localeOf } from '../../pages/page-frame.js';
import type { EnabledRequiredAction } from '../../realms/enabled-required-actions.js';
import { type HostAuthenticationSession, nameOfAuthentication } from '../authentication-sessions.js';
import { asFailure, withTimeLimit } from '../flows/plugin-errors.js';
import type { LoginRequestContext } from '../login-request-context.js';
import type { EnabledAction } from './action-providers.js';

export interface Action extends EnabledRequiredAction {
  readonly enabled: EnabledAction;
}

/** Creates the context of an action, and makes the user the subject of the session. */
export function contextOf(
  { exchange, authentication, client, session }: LoginRequestContext,
  user: User,
  action: Action,
  state?: string,
): RequiredActionContext {
  const { alias } = action;
  const isRequested = initiatedAlias(authentication) === alias;
  session.setSubject(user.id, true, { plugin: action.enabled.registered.plugin.name });
  return {
    user: user.view,
    client: client.view,
    config: action.config,
    notes: authentication.notes,
    state,
    locale: localeOf(exchange, authentication.request.uiLocales),
    initiated: isRequested && !user.requiredActions.includes(alias) && !authentication.actions.has(alias),
    parameter: isRequested ? authentication.request.initiatedAction?.slice(alias.length + 1) || undefined : undefined,
    login: nameOfAuthentication(authentication, client),
    brokered: authentication.linking,
  };
}

/** The alias of the required action in `kc_action`. */
export function initiatedAlias({ request }: HostAuthenticationSession): string | undefined {
  return request.initiatedAction?.split(':', 1)[0];
}

/** Calls an action. If a plugin's action throws an error for callers, the result is a failure with its message. */
export async function callAction(
  { session }: LoginRequestContext,
  { enabled }: Action,
  call: () => Promise<RequiredActionStep>,
): Promise<RequiredActionStep> {
  try {
    return await withTimeLimit(session, enabled.registered, call);
  } catch (error) {
    return asFailure(session, enabled.registered, error);
  }
}

export function expiredCodeRefusal({ client }: LoginRequestContext): PageRefusal {
  return new PageRefusal('expired_code', { key: 'expiredCodeMessage' }, { client });
}
