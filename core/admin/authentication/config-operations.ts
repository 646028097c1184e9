import { CredentialProvider } from '@keyhost/spi';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { typeNameOf } from '../../users/credentials/credential-types.js';
import { badRequest, conflictError, notFoundError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { requestedId } from '../requested-id.js';
import { settingsProperties } from '../server-info/settings-properties.js';
import { AUTHENTICATOR_CONFIG_MEMBERS } from '../strict-representations.js';
import { maskSecrets, replaceConfig } from '../text-config.js';
import { type AuthenticationDraft, editAuthentication, removeUnusedConfigs } from './authentication-edits.js';
import { type AuthenticatorConfig, completeConfigs, executionById } from './complete-flows.js';
import { addableSteps, clientAuthenticators, describeStep, formActions } from './step-catalogue.js';

export interface ConfigOperationParts {
  readonly edits: RealmEdits;
  readonly registry: ProviderRegistry;
}

const TAG = 'Authentication Management';
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    id: TEXT,
    alias: TEXT,
    config: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
  },
};

interface ConfigInput {
  readonly id?: string | null;
  readonly alias?: string | null;
  readonly config?: Readonly<Record<string, string | null>> | null;
}

/**
 * Operations on the configurations of executions: `/authentication/executions/{id}/config` and
 * `/authentication/config/{id}`.
 */
export function configOperations({ edits, registry }: ConfigOperationParts): AdminOperation[] {
  const writeOperation = {
    tag: TAG,
    roles: ['manage-realm'],
    event: { resourceType: 'AUTHENTICATOR_CONFIG' },
  } as const;
  return [
    {
      method: 'POST',
      path: '/authentication/executions/{id}/config',
      ...writeOperation,
      summary: 'Configure a step',
      body: CONFIG_SCHEMA,
      strict: AUTHENTICATOR_CONFIG_MEMBERS,
      answers: { status: 201 },
      handle(call) {
        const { realm, admin, body } = call;
        const input = body as ConfigInput;
        return editAuthentication(edits, { realm, admin }, (draft) => {
          const { execution } = executionById(draft.flows, call.params.id);
          const alias = requireFreeConfigAlias(draft, input.alias);
          const before = { ...execution };
          const id = requestedId(input.id, draft.configs);
          const config = { id, alias, config: replaceConfig<string>({}, input.config ?? {}) };
          execution.authenticatorConfig = alias;
          draft.configs.push(config);
          removeUnusedConfigs(draft, [before]);
          return created(call, config.id);
        });
      },
    },
    {
      method: 'POST',
      path: '/authentication/config',
      ...writeOperation,
      summary: 'Create a configuration that no step names yet',
      body: CONFIG_SCHEMA,
      strict: AUTHENTICATOR_CONFIG_MEMBERS,
      answers: { status: 201 },
      handle(call) {
        const { realm, admin, body } = call;
        const { id, alias, config } = body as ConfigInput;
        return editAuthentication(edits, { realm, admin }, ({ configs }) => {
          const newConfig = {
            id: requestedId(id, configs),
            alias: requireUnusedAlias(configs, alias),
            config: replaceConfig<string>({}, config ?? {}),
          };
          configs.push(newConfig);
          return created(call, newConfig.id);
        });
      },
    },
    ...['/authentication/config/{id}', '/authentication/executions/{executionId}/config/{id}'].map(
      (path): AdminOperation => ({
        method: 'GET',
        path,
        tag: TAG,
        summary: 'The configuration of a step',
        roles: ['view-realm'],
        answers: { status: 200, body: CONFIG_SCHEMA },
        // As in Keycloak, the configuration is found by its own ID, since several executions may share one.
        handle({ realm, params: { id } }) {
          const { alias, config, ...rest } = findConfig(completeConfigs(realm.id, realm.representation), id);
          return ok({ id: rest.id, alias, config: maskSecrets<string>(config) });
        },
      }),
    ),
    {
      method: 'PUT',
      path: '/authentication/config/{id}',
      ...writeOperation,
      summary: 'Replace the configuration of a step',
      body: CONFIG_SCHEMA,
      strict: AUTHENTICATOR_CONFIG_MEMBERS,
      ignoredMembers: ['id'],
      answers: { status: 204 },
      async handle({ realm, admin, params: { id }, body }) {
        const input = body as ConfigInput;
        await editAuthentication(edits, { realm, admin }, (draft) => {
          const storedConfig = findConfig(draft.configs, id);
          if (input.alias != null && input.alias !== storedConfig.alias) {
            const alias = requireFreeConfigAlias(draft, input.alias);
            for (const execution of executionsWith(draft, storedConfig)) execution.authenticatorConfig = alias;
            storedConfig.alias = alias;
          }
          if (input.config != null) storedConfig.config = replaceConfig<string>(storedConfig.config, input.config);
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/authentication/config/{id}',
      ...writeOperation,
      summary: 'Remove the configuration of a step',
      answers: { status: 204 },
      async handle({ realm, admin, params: { id } }) {
        await editAuthentication(edits, { realm, admin }, (draft) => {
          const storedConfig = findConfig(draft.configs, id);
          for (const execution of executionsWith(draft, storedConfig)) delete execution.authenticatorConfig;
          draft.configs = draft.configs.filter((config) => config !== storedConfig);
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/authentication/config-description/{providerId}',
      tag: TAG,
      summary: 'The settings of an authenticator',
      roles: ['view-realm'],
      answers: { status: 200, body: { type: 'object' } },
      handle({ params: { providerId = '' }, exchange }) {
        const knownIds = [
          ...addableSteps(registry, undefined),
          ...formActions(registry),
          ...clientAuthenticators(registry),
        ];
        if (!knownIds.includes(providerId)) throw notFoundError('Could not find authenticator provider');
        const { displayName, description, settings } = describeStep(providerId, registry, new AdminTexts({ exchange }));
        const types = registry.all(CredentialProvider).map(({ id, plugin }) => typeNameOf(id, plugin.builtin));
        const properties = settingsProperties(settings, { 'credential-type': [...types, 'none'] });
        return ok({ name: displayName, providerId, helpText: description, properties });
      },
    },
  ];
}

/**
 * Checks that no other configuration has the alias, since executions refer to configurations by alias.
 * @throws AdminError 400, 409
 */
function requireFreeConfigAlias({ configs }: AuthenticationDraft, alias: string | null | undefined): string {
  if (alias == null || alias.trim() === '') throw badRequest('alias: is missing');
  if (configs.some((config) => config.alias === alias))
    throw conflictError(`Authenticator config ${alias} already exists`);
  return alias;
}

/**
 * Like `requireFreeConfigAlias`, with Keycloak's messages for a configuration that is created without an execution.
 * @throws AdminError 409
 */
function requireUnusedAlias(configs: readonly AuthenticatorConfig[], alias: string | null | undefined): string {
  if (alias == null || alias.trim() === '')
    throw conflictError('Failed to create authentication execution configuration with empty alias name');
  if (configs.some((config) => config.alias === alias))
    throw conflictError(`Authentication execution configuration ${alias} already exists`);
  return alias;
}

function executionsWith({ flows }: AuthenticationDraft, { alias }: AuthenticatorConfig) {
  return flows
    .flatMap(({ authenticationExecutions }) => authenticationExecutions)
    .filter(({ authenticatorConfig }) => authenticatorConfig === alias);
}

function findConfig(configs: readonly AuthenticatorConfig[], id: string | undefined): AuthenticatorConfig {
  const match = configs.find((config) => config.id === id);
  if (match === undefined) throw notFoundError('Could not find authenticator config');
  return match;
}
