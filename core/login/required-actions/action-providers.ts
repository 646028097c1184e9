import {
  type Message,
  RequiredAction,
  type RequiredActionDeclaration,
  type RequiredActionProvider,
  type RequiredActionTrigger,
} from '@keyhost/spi';
import type { User } from '../../model/user.js';
import { type EnabledRequiredAction, enabledRequiredActions } from '../../realms/enabled-required-actions.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import { declaredMessage } from '../../registry/loading/plugin-messages.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { toPluginFault, withTimeLimit } from '../flows/plugin-errors.js';

export type EnabledAction = EnabledProvider<RequiredActionDeclaration, RequiredActionProvider>;

/** The provider of the action; undefined if no plugin has it. */
export function actionProviderOf(
  session: HostSession,
  { providerId }: EnabledRequiredAction,
): EnabledAction | undefined {
  return enabledProvider(session.generation, session.compiledRealm, RequiredAction, providerId);
}

/** The action's name on pages and in mails. */
export function actionNameOf({ registered }: EnabledAction): Message {
  const { plugin, id, declaration } = registered;
  return plugin.builtin ? { key: `requiredAction.${id}` } : declaredMessage(plugin, declaration.displayText);
}

/**
 * The aliases of actions whose triggers require them now, for example because a password has expired.
 * @param login the client, and the notes of the login
 */
export async function triggeredActions(
  session: HostSession,
  user: User,
  login: Omit<RequiredActionTrigger, 'config'>,
): Promise<string[]> {
  const realm = session.compiledRealm;
  const triggered: string[] = [];
  for (const action of enabledRequiredActions(realm)) {
    const enabled = actionProviderOf(session, action);
    const provider = enabled && createProvider(enabled, session);
    if (enabled === undefined || provider?.triggered === undefined) continue;
    session.setSubject(user.id, true, { plugin: enabled.registered.plugin.name });
    try {
      const trigger = { ...login, config: action.config };
      if (await withTimeLimit(session, enabled.registered, async () => provider.triggered?.(user.view, trigger)))
        triggered.push(action.alias);
    } catch (error) {
      throw toPluginFault(enabled.registered, error);
    }
  }
  return triggered;
}
