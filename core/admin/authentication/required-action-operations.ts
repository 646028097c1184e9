import { type JsonSchema, RequiredAction } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { RequiredActionRepresentation } from '../../model/representation.js';
import { BUILT_IN_REQUIRED_ACTIONS } from '../../realms/built-ins/built-in-required-actions.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { badRequest, badRequestError, conflictError, notFoundError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { settingsProperties } from '../server-info/settings-properties.js';
import { REQUIRED_ACTION_CONFIG_MEMBERS, REQUIRED_ACTION_MEMBERS } from '../strict-representations.js';
import { maskSecrets, replaceConfig } from '../text-config.js';
import { moveItem } from './move-item.js';
import { registerAction, requiredActionId, sortedActions } from './required-actions.js';

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

type ActionInput = { readonly [K in keyof RequiredActionRepresentation]?: RequiredActionRepresentation[K] | null };

/**
 * Operations on required actions, which a user must complete before a login succeeds:
 * `/authentication/required-actions`.
 */
export function requiredActionOperations({ edits, registry }: RequiredActionOperationParts): AdminOperation[] {
  const base = '/authentication/required-actions';
  const readOperation = { tag: TAG, roles: ['view-realm'] } as const;
  const writeOperation = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'REQUIRED_ACTION' } } as const;
  const edit = <T>({ realm, admin }: AdminCall, editActions: (actions: RequiredActionRepresentation[]) => T) => {
    const change = withEscalationCheck(admin, (draft) => {
      const actions = sortedActions(draft.requiredActions);
      const result = editActions(actions);
      draft.requiredActions = actions;
      return result;
    });
    return edits.edit(realm.name, change);
  };
  return [
    {
      method: 'GET',
      path: base,
      ...readOperation,
      roles: ACTION_READERS,
      summary: 'The required actions of the realm, in order',
      answers: { status: 200, body: { type: 'array', items: ACTION_SCHEMA } },
      handle: ({ realm }) => ok(actionRepresentations(realm.representation.requiredActions)),
    },
    {
      method: 'GET',
      path: `${base}/{alias}`,
      ...readOperation,
      summary: 'One required action',
      answers: { status: 200, body: ACTION_SCHEMA },
      handle: ({ realm, params: { alias } }) =>
        ok(toRepresentation(findAction(sortedActions(realm.representation.requiredActions), alias))),
    },
    {
      method: 'PUT',
      path: `${base}/{alias}`,
      ...writeOperation,
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
        const { name, enabled, defaultAction, priority, config } = body as ActionInput;
        await edit(call, (actions) => {
          const action = findAction(actions, alias);
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
      ...writeOperation,
      summary: 'Unregister a required action',
      answers: { status: 204 },
      async handle(call) {
        const { alias } = call.params;
        await edit(call, (actions) => void actions.splice(actions.indexOf(findAction(actions, alias)), 1));
        return undefined;
      },
    },
    ...(['raise', 'lower'] as const).map(
      (direction): AdminOperation => ({
        method: 'POST',
        path: `${base}/{alias}/${direction}-priority`,
        ...writeOperation,
        event: { resourceType: 'REQUIRED_ACTION', operation: 'UPDATE' },
        summary: `Move a required action one place ${direction === 'raise' ? 'up' : 'down'}`,
        answers: { status: 204 },
        async handle(call) {
          const { alias } = call.params;
          await edit(call, (actions) => moveItem(actions, findAction(actions, alias), direction));
          return undefined;
        },
      }),
    ),
    {
      method: 'GET',
      path: '/authentication/unregistered-required-actions',
      ...readOperation,
      summary: 'Required actions that the realm does not use',
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle({ realm, exchange }) {
        const registeredIds = new Set(sortedActions(realm.representation.requiredActions).map(requiredActionId));
        const texts = new AdminTexts({ exchange });
        return ok(registrableProviders(registry, texts).filter(({ providerId }) => !registeredIds.has(providerId)));
      },
    },
    {
      method: 'POST',
      path: '/authentication/register-required-action',
      ...writeOperation,
      summary: 'Register a required action, enabled',
      body: { type: 'object', properties: { providerId: TEXT, name: TEXT } },
      answers: { status: 204 },
      async handle(call) {
        const { providerId, name } = call.body as ActionInput;
        const provider = registrableProviders(registry).find((candidate) => candidate.providerId === providerId);
        if (provider === undefined) throw badRequestError('Required Action Provider with given providerId not found');
        await edit(call, (actions) => {
          if (actions.some((one) => requiredActionId(one) === provider.providerId)) {
            throw conflictError(`Required action ${provider.providerId} is registered already`);
          }
          registerAction(actions, { ...provider, name: name || provider.name });
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: `${base}/{alias}/config-description`,
      ...readOperation,
      summary: 'The settings of a required action',
      answers: { status: 200, body: { type: 'object' } },
      handle({ realm, params: { alias }, exchange }) {
        const action = findAction(sortedActions(realm.representation.requiredActions), alias);
        const provider = registry.find(RequiredAction, requiredActionId(action));
        const settings = provider && new AdminTexts({ exchange }).schema(provider, provider.declaration.settings);
        return ok({ properties: settingsProperties(settings) });
      },
    },
    {
      method: 'GET',
      path: `${base}/{alias}/config`,
      ...readOperation,
      summary: 'The configuration of a required action',
      answers: { status: 200, body: { type: 'object', properties: { config: CONFIG } } },
      handle: ({ realm, params: { alias } }) =>
        ok({ config: toRepresentation(findAction(sortedActions(realm.representation.requiredActions), alias)).config }),
    },
    {
      method: 'PUT',
      path: `${base}/{alias}/config`,
      ...writeOperation,
      event: { resourceType: 'REQUIRED_ACTION_CONFIG' },
      summary: 'Replace the configuration of a required action',
      body: { type: 'object', properties: { config: CONFIG } },
      strict: REQUIRED_ACTION_CONFIG_MEMBERS,
      answers: { status: 204 },
      async handle(call) {
        const { alias } = call.params;
        const { config } = call.body as ActionInput;
        if (config == null) throw badRequest('config: is missing');
        await edit(call, (actions) => {
          const action = findAction(actions, alias);
          action.config = replaceConfig<string>(action.config, config);
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${base}/{alias}/config`,
      ...writeOperation,
      event: { resourceType: 'REQUIRED_ACTION_CONFIG' },
      summary: 'Remove the configuration of a required action',
      answers: { status: 204 },
      async handle(call) {
        const { alias } = call.params;
        await edit(call, (actions) => {
          findAction(actions, alias).config = {};
        });
        return undefined;
      },
    },
  ];
}

/**
 * The required actions as in Keycloak's API, sorted by priority.
 * @param storedActions the realm's own actions; undefined for Keycloak's defaults
 */
export function actionRepresentations(
  storedActions: readonly RequiredActionRepresentation[] | undefined,
): RequiredActionRepresentation[] {
  return sortedActions(storedActions).map(toRepresentation);
}

/** The required actions as Keycloak's admin console needs them. */
export function consoleActionRepresentations(
  storedActions: readonly RequiredActionRepresentation[] | undefined,
  registry: ProviderRegistry,
): object[] {
  return sortedActions(storedActions).map((action) => ({
    ...toRepresentation(action),
    configurable: settingsOf(action, registry) !== undefined,
  }));
}

function settingsOf(action: RequiredActionRepresentation, registry: ProviderRegistry): JsonSchema | undefined {
  return registry.find(RequiredAction, requiredActionId(action))?.declaration.settings;
}

/** The required actions that can be assigned to users: the provider IDs, and the realm's aliases for them. */
export function assignableActions(
  registry: ProviderRegistry,
  { representation }: Pick<Realm, 'representation'>,
): Set<string> {
  const ids = new Set(registrableProviders(registry).map(({ providerId }) => providerId));
  for (const action of representation.requiredActions ?? [])
    if (ids.has(requiredActionId(action))) ids.add(action.alias);
  return ids;
}

/**
 * The providers that can be registered: Keycloak's own, and those of plugins.
 * @param texts translates the names; undefined for the names as declared
 */
function registrableProviders(registry: ProviderRegistry, texts?: AdminTexts): { providerId: string; name: string }[] {
  const keycloakActions = BUILT_IN_REQUIRED_ACTIONS.map(({ alias, name = alias }) => ({ providerId: alias, name }));
  const pluginActions = registry
    .all(RequiredAction)
    .filter(({ id }) => !keycloakActions.some(({ providerId }) => providerId === id))
    .map((action) => {
      const { id, declaration } = action;
      return { providerId: id, name: texts?.text(action, declaration.displayText) ?? declaration.displayText };
    });
  return [...keycloakActions, ...pluginActions];
}

function findAction(actions: readonly RequiredActionRepresentation[], alias: string | undefined) {
  const action = actions.find((candidate) => candidate.alias === alias);
  if (action === undefined) throw notFoundError('Failed to find required action');
  return action;
}

function toRepresentation(action: RequiredActionRepresentation) {
  const { alias, name = alias, providerId = alias, enabled = false, defaultAction = false, priority = 0 } = action;
  return { alias, name, providerId, enabled, defaultAction, priority, config: maskSecrets<string>(action.config) };
}
