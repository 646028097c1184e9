import type { Realm } from '../model/realm.js';
import { BUILT_IN_REQUIRED_ACTIONS } from './built-ins/built-in-required-actions.js';

/** A required action that is enabled in the realm. */
export interface EnabledRequiredAction {
  readonly alias: string;
  readonly providerId: string;
  readonly defaultAction: boolean;
  readonly config: Readonly<Record<string, string>>;
}

const LISTED_ACTIONS = Symbol('required actions');

/** Returns the enabled required actions of the realm, in the order in which users are asked for them. */
export function enabledRequiredActions(realm: Realm): readonly EnabledRequiredAction[] {
  return realm.derive(LISTED_ACTIONS, () =>
    [...(realm.representation.requiredActions ?? BUILT_IN_REQUIRED_ACTIONS)]
      .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
      .filter(({ enabled }) => enabled === true)
      .map(({ alias, providerId, defaultAction, config }) => ({
        alias,
        providerId: providerId ?? alias,
        defaultAction: defaultAction === true,
        config: Object.freeze({ ...config }),
      })),
  );
}

export function enabledRequiredAction(realm: Realm, alias: string): EnabledRequiredAction | undefined {
  return enabledRequiredActions(realm).find((action) => action.alias === alias);
}
