import type { RequiredActionContext, RequiredActionStep } from '@keyhost/spi';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { localeOf } from '../../pages/page-frame.js';
import type { ListedAction } from '../../realms/listed-required-actions.js';
import { type HostAuthenticationSession, nameOfAuthentication } from '../authentication-sessions.js';
import { asFailure, withTimeLimit } from '../flows/plugin-errors.js';
import type { LoginRequestContext } from '../login-request-context.js';
import type { EnabledAction } from './action-providers.js';

export interface Action extends ListedAction {
  readonly enabled: EnabledAction;
}

/** The context that the action gets. */
export function contextOf(
  { exchange, authentication, client, session }: LoginRequestContext,
  user: User,
  action: Action,
  state?: string,
): RequiredActionContext {
  const { alias } = action;
  const wanted = initiatedAlias(authentication) === alias;
  session.setSubject(user.id, true, { plugin: action.enabled.registered.plugin.name });
  return {
    user: user.view,
    client: client.view,
    config: action.config,
    notes: authentication.notes,
    state,
    locale: localeOf(exchange, authentication.request.uiLocales),
    initiated: wanted && !user.requiredActions.includes(alias) && !authentication.actions.has(alias),
    parameter: wanted ? authentication.request.initiatedAction?.slice(alias.length + 1) || undefined : undefined,
    login: nameOfAuthentication(authentication, client),
    brokered: authentication.linking,
  };
}

/** The action's alias in `kc_action`. */
export function initiatedAlias({ request }: HostAuthenticationSession): string | undefined {
  return request.initiatedAction?.split(':', 1)[0];
}

/** Calls an action. An error by which a plugin's action refuses the login becomes its failure. */
export async function stepOf(
  { session }: LoginRequestContext,
  { enabled }: Action,
  ask: () => Promise<RequiredActionStep>,
): Promise<RequiredActionStep> {
  try {
    return await withTimeLimit(session, enabled.registered, ask);
  } catch (error) {
    return asFailure(session, enabled.registered, error);
  }
}

export function expired({ client }: LoginRequestContext): PageRefusal {
  return new PageRefusal('expired_code', { key: 'expiredCodeMessage' }, { client });
}
