import { type JsonSchema, RequiredAction } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { RequiredActionRepresentation } from '../../model/representation.js';
import { BUILT_IN_REQUIRED_ACTIONS } from '../../realms/built-ins/built-in-required-actions.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { badRequest, badRequestError, conflict, notFound } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { settingsProperties } from '../server-info/settings-properties.js';
import { REQUIRED_ACTION_CONFIG_MEMBERS, REQUIRED_ACTION_MEMBERS } from '../strict-representations.js';
import { maskTexts, replaceConfig } from '../text-config.js';
import { moveItem } from './move-item.js';

export interface RequiredActionOperationParts {
  readonly edits: RealmEdits;
  readonly registry: ProviderRegistry;
}

const TAG = 'Authentication Management';
/** Roles that may list required actions. Admins who manage users need the list. */
export const ACTION_READERS = ['view-realm', 'view-users', 'query-users'] as const;
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const CONFIG = { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } };
const ACTION_SCHEMA = {
  type: 'object',
  properties: {
    alias: TEXT,
    name: TEXT,
    providerId: TEXT,
    enabled: { type: ['boolean', 'null'] },
    defaultAction: { type: ['boolean', 'null'] },
    priority: { type: ['integer', 'null'] },
    config: CONFIG,
  },
};

type SentAction = { readonly [K in keyof RequiredActionRepresentation]?: RequiredActionRepresentation[K] | null };

/** `/authentication/required-actions`: actions that a user must complete before a login succeeds. */
export function requiredActionOperations({ edits, registry }: RequiredActionOperationParts): AdminOperation[] {
  const base = '/authentication/required-actions';
  const view = { tag: TAG, roles: ['view-realm'] } as const;
  const change = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'REQUIRED_ACTION' } } as const;
  const edit = <T>({ realm, admin }: AdminCall, work: (actions: RequiredActionRepresentation[]) => T) => {
    const change = withEscalationCheck(admin, (draft) => {
      const actions = actionsOf(draft.requiredActions);
      const result = work(actions);
      draft.requiredActions = actions;
      return result;
    });
    return edits.edit(realm.name, change);
  };
  return [
    {
      method: 'GET',
      path: base,
      ...view,
      roles: ACTION_READERS,
      summary: 'The required actions of the realm, in order',
      answers: { status: 200, body: { type: 'array', items: ACTION_SCHEMA } },
      handle: ({ realm }) => ok(shownActions(realm.representation.requiredActions)),
    },
    {
      method: 'GET',
      path: `${base}/{alias}`,
      ...view,
      summary: 'One required action',
      answers: { status: 200, body: ACTION_SCHEMA },
      handle: ({ realm, params: { alias } }) => ok(shown(find(actionsOf(realm.representation.requiredActions), alias))),
    },
    {
      method: 'PUT',
      path: `${base}/{alias}`,
      ...change,
      summary: 'Change a required action; what is absent stays',
      body: ACTION_SCHEMA,
      strict: REQUIRED_ACTION_MEMBERS,
      ignoredMembers: ['alias', 'providerId'],
      answers: { status: 204 },
      async handle(call) {
        const {
          params: { alias },
          body,
        } = call;
        const { name, enabled, defaultAction, priority, config } = body as SentAction;
        await edit(call, (actions) => {
          const action = find(actions, alias);
          const members = Object.entries({ name, enabled, defaultAction, priority });
          Object.assign(action, Object.fromEntries(members.filter(([, value]) => value != null)));
          if (config != null) action.config = replaceConfig<string>(action.config, config);
          actions.sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${base}/{alias}`,
      ...change,
      summary: 'Unregister a required action',
      answers: { status: 204 },
      async handle(call) {
        const { alias } = call.params;
        await edit(call, (actions) => void actions.splice(actions.indexOf(find(actions, alias)), 1));
        return undefined;
      },
    },
    ...(['raise', 'lower'] as const).map(
      (direction): AdminOperation => ({
        method: 'POST',
        path: `${base}/{alias}/${direction}-priority`,
        ...change,
        event: { resourceType: 'REQUIRED_ACTION', operation: 'UPDATE' },
        summary: `Move a required action one place ${direction === 'raise' ? 'up' : 'down'}`,
        answers: { status: 204 },
        async handle(call) {
          const { alias } = call.params;
          await edit(call, (actions) => moveItem(actions, find(actions, alias), direction));
          return undefined;
        },
      }),
    ),
    {
      method: 'GET',
      path: '/authentication/unregistered-required-actions',
      ...view,
      summary: 'Required actions that the realm does not use',
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle({ realm, exchange }) {
        const known = new Set(actionsOf(realm.representation.requiredActions).map(providerOf));
        const words = new AdminTexts({ exchange });
        return ok(available(registry, words).filter(({ providerId }) => !known.has(providerId)));
      },
    },
    {
      method: 'POST',
      path: '/authentication/register-required-action',
      ...change,
      summary: 'Register a required action, enabled',
      body: { type: 'object', properties: { providerId: TEXT, name: TEXT } },
      answers: { status: 204 },
      async handle(call) {
        const { providerId, name } = call.body as SentAction;
        const provider = available(registry).find((one) => one.providerId === providerId);
        if (provider === undefined) throw badRequestError('Required Action Provider with given providerId not found');
        await edit(call, (actions) => {
          const alias = provider.providerId;
          if (actions.some((one) => providerOf(one) === alias)) {
            throw conflict(`Required action ${alias} is registered already`);
          }
          const priority = Math.max(0, ...actions.map((one) => one.priority ?? 0)) + 1;
          const action = { alias, name: name || provider.name, providerId: alias, enabled: true };
          actions.push({ ...action, defaultAction: false, priority, config: {} });
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: `${base}/{alias}/config-description`,
      ...view,
      summary: 'The settings of a required action',
      answers: { status: 200, body: { type: 'object' } },
      handle({ realm, params: { alias }, exchange }) {
        const action = find(actionsOf(realm.representation.requiredActions), alias);
        const provider = registry.find(RequiredAction, providerOf(action));
        const settings = provider && new AdminTexts({ exchange }).schema(provider, provider.declaration.settings);
        return ok({ properties: settingsProperties(settings) });
      },
    },
    {
      method: 'GET',
      path: `${base}/{alias}/config`,
      ...view,
      summary: 'The configuration of a required action',
      answers: { status: 200, body: { type: 'object', properties: { config: CONFIG } } },
      handle: ({ realm, params: { alias } }) =>
        ok({ config: shown(find(actionsOf(realm.representation.requiredActions), alias)).config }),
    },
    {
      method: 'PUT',
      path: `${base}/{alias}/config`,
      ...change,
      event: { resourceType: 'REQUIRED_ACTION_CONFIG' },
      summary: 'Replace the configuration of a required action',
      body: { type: 'object', properties: { config: CONFIG } },
      strict: REQUIRED_ACTION_CONFIG_MEMBERS,
      answers: { status: 204 },
      async handle(call) {
        const { alias } = call.params;
        const { config } = call.body as SentAction;
        if (config == null) throw badRequest('config: is missing');
        await edit(call, (actions) => {
          const action = find(actions, alias);
          action.config = replaceConfig<string>(action.config, config);
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${base}/{alias}/config`,
      ...change,
      event: { resourceType: 'REQUIRED_ACTION_CONFIG' },
      summary: 'Remove the configuration of a required action',
      answers: { status: 204 },
      async handle(call) {
        const { alias } = call.params;
        await edit(call, (actions) => {
          find(actions, alias).config = {};
        });
        return undefined;
      },
    },
  ];
}

/** The list in Keycloak's API, in order. @param own undefined: Keycloak's defaults */
export function shownActions(own: readonly RequiredActionRepresentation[] | undefined): RequiredActionRepresentation[] {
  return actionsOf(own).map(shown);
}

/** The list in Keycloak's admin console. */
export function consoleActions(
  own: readonly RequiredActionRepresentation[] | undefined,
  registry: ProviderRegistry,
): object[] {
  return actionsOf(own).map((action) => ({
    ...shown(action),
    configurable: settingsOf(action, registry) !== undefined,
  }));
}

function settingsOf(action: RequiredActionRepresentation, registry: ProviderRegistry): JsonSchema | undefined {
  return registry.find(RequiredAction, providerOf(action))?.declaration.settings;
}

/** The realm's required actions, or Keycloak's defaults. An ordered copy. */
function actionsOf(own: readonly RequiredActionRepresentation[] | undefined): RequiredActionRepresentation[] {
  return structuredClone([...(own ?? BUILT_IN_REQUIRED_ACTIONS)]).sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
}

/** The required actions that can be assigned to users: the IDs of all providers, and the realm's aliases for them. */
export function knownActions(
  registry: ProviderRegistry,
  { representation }: Pick<Realm, 'representation'>,
): Set<string> {
  const ids = new Set(available(registry).map(({ providerId }) => providerId));
  for (const action of representation.requiredActions ?? []) if (ids.has(providerOf(action))) ids.add(action.alias);
  return ids;
}

/**
 * The providers that can be registered: Keycloak's own, and those of plugins. @param words undefined: names as declared
 */
function available(registry: ProviderRegistry, words?: AdminTexts): { providerId: string; name: string }[] {
  const ofKeycloak = BUILT_IN_REQUIRED_ACTIONS.map(({ alias, name = alias }) => ({ providerId: alias, name }));
  const ofPlugins = registry
    .all(RequiredAction)
    .filter(({ id }) => !ofKeycloak.some(({ providerId }) => providerId === id))
    .map((action) => {
      const { id, declaration } = action;
      return { providerId: id, name: words?.text(action, declaration.displayText) ?? declaration.displayText };
    });
  return [...ofKeycloak, ...ofPlugins];
}

function find(actions: readonly RequiredActionRepresentation[], alias: string | undefined) {
  const action = actions.find((one) => one.alias === alias);
  if (action === undefined) throw notFound('Failed to find required action');
  return action;
}

function providerOf({ providerId, alias }: RequiredActionRepresentation): string {
  return providerId ?? alias;
}

function shown(action: RequiredActionRepresentation) {
  const { alias, name = alias, providerId = alias, enabled = false, defaultAction = false, priority = 0 } = action;
  return { alias, name, providerId, enabled, defaultAction, priority, config: maskTexts<string>(action.config) };
}
