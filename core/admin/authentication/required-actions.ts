import type { RequiredActionRepresentation } from '../../model/representation.js';
import { BUILT_IN_REQUIRED_ACTIONS } from '../../realms/built-ins/built-in-required-actions.js';

/** Returns a copy of the realm's required actions, or of Keycloak's defaults, sorted by priority. */
export function sortedActions(
  storedActions: readonly RequiredActionRepresentation[] | undefined,
): RequiredActionRepresentation[] {
  return structuredClone([...(storedActions ?? BUILT_IN_REQUIRED_ACTIONS)]).sort(
    (a, b) => (a.priority ?? 0) - (b.priority ?? 0),
  );
}

/** The ID of the provider of a required action. */
export function requiredActionId({ providerId, alias }: RequiredActionRepresentation): string {
  return providerId ?? alias;
}

/** Adds a required action as the last one, enabled. */
export function registerAction(
  actions: RequiredActionRepresentation[],
  { providerId, name }: { readonly providerId: string; readonly name: string },
): void {
  const priority = Math.max(0, ...actions.map((action) => action.priority ?? 0)) + 1;
  actions.push({ alias: providerId, name, providerId, enabled: true, defaultAction: false, priority, config: {} });
}
