import {
  type Message,
  RequiredAction,
  type RequiredActionDeclaration,
  type RequiredActionProvider,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { BUILT_IN_REQUIRED_ACTIONS } from '../../realms/built-ins/built-in-required-actions.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { HostSession } from '../../registry/sessions/session.js';

/** A required action that is enabled in the realm. */
export interface ListedAction {
  readonly alias: string;
  readonly providerId: string;
  readonly defaultAction: boolean;
  readonly config: Readonly<Record<string, string>>;
}

export type EnabledAction = EnabledProvider<RequiredActionDeclaration, RequiredActionProvider>;

const LISTED = Symbol('required actions');

/** The realm's enabled actions in the order in which users are asked for them. */
export function listedActions(realm: Realm): readonly ListedAction[] {
  return realm.derive(LISTED, () =>
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

export function listedAction(realm: Realm, alias: string): ListedAction | undefined {
  return listedActions(realm).find((action) => action.alias === alias);
}

/** Who does the action; undefined when no plugin is there for it. */
export function providerOf(session: HostSession, { providerId }: ListedAction): EnabledAction | undefined {
  return enabledProvider(session.generation, session.compiledRealm, RequiredAction, providerId);
}

/** What pages and mails call the action. */
export function nameOf({ registered }: EnabledAction): Message {
  const { plugin, id, declaration } = registered;
  return { key: plugin.builtin ? `requiredAction.${id}` : declaration.displayText };
}

/** The aliases of the actions that the user must do although nobody asked for them. */
export async function triggeredActions(session: HostSession, { view }: User): Promise<string[]> {
  const realm = session.compiledRealm;
  const triggered: string[] = [];
  for (const action of listedActions(realm)) {
    const enabled = providerOf(session, action);
    const provider = enabled && createProvider(enabled, session);
    if (provider?.triggered !== undefined && (await session.limited(provider.triggered(view)))) {
      triggered.push(action.alias);
    }
  }
  return triggered;
}
