import { defined } from '../../model/defined.js';
import type { ProviderSetting, RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ConfigProblem, RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { AdminError, badRequest, notFoundError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import type { AdminOperation } from '../operation.js';
import { ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { maskConfig, restoreSecrets } from './config-secrets.js';
import {
  configProblems,
  describeProblem,
  describeProblems,
  describeProviders,
  type ProviderRepresentation,
  type ProviderSources,
} from './provider-representation.js';

export interface ProviderOperationParts extends ProviderSources {
  readonly edits: RealmEdits;
}

const TAG = 'Providers';
const PROVIDER_SCHEMA = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean' },
    config: { type: 'object' },
    // Responses contain these members, so requests may too. They cannot be changed.
    spi: { type: 'string' },
    id: { type: 'string' },
    plugin: { type: 'object' },
    enabledBy: { type: 'string' },
    displayName: { type: 'string' },
    helpText: { type: 'string' },
    configSchema: { type: 'object' },
    sharesConfig: { type: 'string' },
    calls: { type: 'object' },
    failures: { type: 'array', items: { type: 'object' } },
    health: { type: 'object' },
  },
  additionalProperties: false,
} as const;

/**
 * Keyhost's own API: `/admin/realms/{realm}/providers`, the registered providers with their state and settings in the
 * realm.
 */
export function providerOperations(parts: ProviderOperationParts): AdminOperation[] {
  const { edits, registry } = parts;
  return [
    {
      method: 'GET',
      path: '/providers',
      tag: TAG,
      summary: 'Every provider with its state in the realm, its configuration and its health',
      roles: ['view-realm'],
      notForPlugins: true,
      answers: { status: 200, body: { type: 'array', items: PROVIDER_SCHEMA } },
      handle: ({ realm, exchange }) => ok(describeProviders(realm, parts, new AdminTexts({ exchange }))),
    },
    {
      method: 'GET',
      path: '/providers/{spi}/{id}',
      tag: TAG,
      summary: 'One provider with its state in the realm',
      roles: ['view-realm'],
      notForPlugins: true,
      etag: realmMembers,
      answers: { status: 200, body: PROVIDER_SCHEMA },
      handle({ realm, params: { spi, id }, exchange }) {
        const provider = describeProviders(realm, parts, new AdminTexts({ exchange })).find(
          (candidate) => candidate.spi === spi && candidate.id === id,
        );
        if (provider === undefined) throw providerNotFoundError(spi, id);
        return ok(provider);
      },
    },
    {
      method: 'PUT',
      path: '/providers/{spi}/{id}',
      tag: TAG,
      summary: 'Enable or disable a provider in the realm and configure it; absent members stay, null resets one',
      roles: ['manage-realm'],
      notForPlugins: true,
      body: PROVIDER_SCHEMA,
      answers: { status: 204 },
      event: { resourceType: 'CUSTOM' },
      async handle({ realm, admin, params: { spi, id }, body, setEventDetails }) {
        const provider = registry.list().find((candidate) => candidate.spi.id === spi && candidate.id === id);
        if (provider === undefined) throw providerNotFoundError(spi, id);
        const change = body as ProviderChange;
        if (change.enabled !== undefined && provider.spi.enabledBy === 'realm-key') {
          throw badRequest(`enabled: ${spi} is switched by the realm's own key "${provider.spi.realm?.key}", not here`);
        }
        const edit = withEscalationCheck(admin, (draft) => {
          const before = draft.providers?.[provider.spi.id]?.[provider.id] ?? {};
          const after = applyChange(provider, before, change);
          storeSetting(draft, provider, after);
          setEventDetails({
            eventRepresentation: {
              before: settingRepresentation(provider, before),
              after: settingRepresentation(provider, after),
            },
          });
          return undefined;
        });
        return edits.edit(realm.name, edit);
      },
    },
  ];
}

interface ProviderChange {
  readonly enabled?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Computes the new setting. @throws AdminError 400 if the configuration is not valid for the provider's schema */
function applyChange(provider: RegisteredProvider, before: ProviderSetting, change: ProviderChange): ProviderSetting {
  const members = new Map([...Object.entries(before.config ?? {}), ...Object.entries(change.config ?? {})]);
  const mergedMembers = Object.fromEntries([...members].filter(([, value]) => value !== null));
  const secrets = { sent: change.config, schema: provider.realmConfig };
  const config = restoreSecrets(mergedMembers, before.config, secrets) as Record<string, unknown>;
  const enabled = change.enabled ?? before.enabled;
  // A disabled provider may have an invalid configuration, so that disabling always works. A configuration that belongs
  // to another provider is checked with the realm.
  if (provider.sharesConfig === undefined && (change.config !== undefined || enabled === true)) {
    const problems = configProblems(provider, config);
    if (problems.length > 0) throw invalidConfigError(problems);
  }
  return {
    ...defined({ enabled }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

/**
 * Stores a setting, or removes its entry if it equals the default. An empty configuration does not have to be valid.
 */
function storeSetting(
  draft: RealmRepresentation,
  { spi, id, plugin }: RegisteredProvider,
  setting: ProviderSetting,
): void {
  const isDefault = setting.config === undefined && (setting.enabled ?? plugin.builtin) === plugin.builtin;
  const { [id]: _, ...remaining } = draft.providers?.[spi.id] ?? {};
  draft.providers = { ...draft.providers, [spi.id]: isDefault ? remaining : { ...remaining, [id]: setting } };
}

function settingRepresentation(
  { spi, plugin, realmConfig }: RegisteredProvider,
  { enabled, config = {} }: ProviderSetting,
) {
  return {
    ...(spi.enabledBy === 'realm-key' ? {} : { enabled: enabled ?? plugin.builtin }),
    config: maskConfig(config, realmConfig),
  };
}

/** Creates an error with one text for people, and each problem with its path in `config` for a form. */
function invalidConfigError(problems: readonly ConfigProblem[]): AdminError {
  const errors = problems.map((problem) => ({ pointer: problem.pointer, message: describeProblem(problem) }));
  return new AdminError(400, { errorMessage: describeProblems(problems), errors });
}

function providerNotFoundError(spi = '', id = '') {
  return notFoundError(`Provider ${spi}/${id} not found`);
}

/** The members that the realm determines. Calls, health and the plugin change without an edit of the realm. */
function realmMembers(body: unknown): unknown {
  const { spi, id, enabled, config } = body as ProviderRepresentation;
  return { spi, id, enabled, config };
}
