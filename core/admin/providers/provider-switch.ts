import { EventListener, RequiredAction, type RequiredActionDeclaration } from '@keyhost/spi';
import type { RealmRepresentation } from '../../model/representation.js';
import { realmSettings } from '../../realms/built-ins/realm-defaults.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { registerAction, requiredActionId, sortedActions } from '../authentication/required-actions.js';

type SwitchProvider = (draft: RealmRepresentation, provider: RegisteredProvider, enabled: boolean) => void;

/**
 * The SPIs whose key in the realm only decides whether a provider is enabled. Other keys, such as flows and mappers,
 * need more than that: a position, a requirement, a name.
 */
const SWITCHES: ReadonlyMap<string, SwitchProvider> = new Map([
  [EventListener.id, switchListener],
  [RequiredAction.id, switchRequiredAction],
]);

/** True if `setEnabled` can enable and disable the provider in a realm. */
export function isSwitchable({ spi }: Pick<RegisteredProvider, 'spi'>): boolean {
  return spi.enabledBy === 'providers' || SWITCHES.has(spi.id);
}

/** Enables or disables a provider in the key of the realm that names it, if it is not in `providers`. */
export function setEnabled(draft: RealmRepresentation, provider: RegisteredProvider, enabled: boolean): void {
  SWITCHES.get(provider.spi.id)?.(draft, provider, enabled);
}

function switchListener(draft: RealmRepresentation, { id }: RegisteredProvider, enabled: boolean): void {
  const { eventsListeners = [] } = realmSettings(draft);
  if (!enabled) draft.eventsListeners = eventsListeners.filter((other) => other !== id);
  else if (!eventsListeners.includes(id)) draft.eventsListeners = [...eventsListeners, id];
}

/** Registers the action if the realm does not have it, as Keycloak's own operation does. */
function switchRequiredAction(
  draft: RealmRepresentation,
  { id, declaration }: RegisteredProvider,
  enabled: boolean,
): void {
  const actions = sortedActions(draft.requiredActions);
  const registeredActions = actions.filter((action) => requiredActionId(action) === id);
  for (const action of registeredActions) action.enabled = enabled;
  if (enabled && registeredActions.length === 0) {
    const { displayText } = declaration as RequiredActionDeclaration;
    registerAction(actions, { providerId: id, name: displayText });
  }
  draft.requiredActions = actions;
}
