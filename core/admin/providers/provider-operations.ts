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
import { flowUses } from './flow-uses.js';
import {
  configProblems,
  describeProblem,
  describeProblems,
  describeProviders,
  type ProviderRepresentation,
  type ProviderSources,
} from './provider-representation.js';
import { isSwitchable, setEnabled } from './provider-switch.js';
import { enabledIds } from './providers-enabled-by-key.js';

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
    switchable: { type: 'boolean' },
    uses: { type: 'array', items: { type: 'object' } },
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
        return ok({ ...provider, ...defined({ uses: flowUses(realm.representation, provider) }) });
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
        const edit = withEscalationCheck(admin, (draft) => {
          const before = readSetting(draft, provider);
          requireSwitchable(provider, before, change);
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

/** The stored setting. If another key of the realm enables the provider, `enabled` is the value of that key. */
function readSetting(draft: RealmRepresentation, { spi, id }: RegisteredProvider): ProviderSetting {
  const setting = draft.providers?.[spi.id]?.[id] ?? {};
  return spi.enabledBy === 'realm-key' ? { ...setting, enabled: enabledIds(draft, spi).has(id) } : setting;
}

/** @throws AdminError 400 if the change enables or disables a provider that a use in the realm enables */
function requireSwitchable(provider: RegisteredProvider, before: ProviderSetting, { enabled }: ProviderChange): void {
  if (enabled === undefined || enabled === before.enabled || isSwitchable(provider)) return;
  const { id, realm } = provider.spi;
  throw badRequest(`enabled: ${id} is switched by the realm's own key "${realm?.key}", not here`);
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
function storeSetting(draft: RealmRepresentation, provider: RegisteredProvider, setting: ProviderSetting): void {
  const { spi, id, plugin } = provider;
  const { enabled, ...stored } = setting;
  if (spi.enabledBy === 'realm-key') {
    // A default of the realm stays a default if nothing changes.
    if (enabled !== undefined && enabled !== enabledIds(draft, spi).has(id)) setEnabled(draft, provider, enabled);
    storeEntry(draft, provider, stored.config === undefined ? undefined : stored);
  } else {
    const isDefault = setting.config === undefined && (enabled ?? plugin.builtin) === plugin.builtin;
    storeEntry(draft, { spi, id }, isDefault ? undefined : setting);
  }
}

/** @param setting undefined to remove the entry */
function storeEntry(
  draft: RealmRepresentation,
  { spi, id }: Pick<RegisteredProvider, 'spi' | 'id'>,
  setting: ProviderSetting | undefined,
): void {
  const { [id]: _, ...remaining } = draft.providers?.[spi.id] ?? {};
  draft.providers = {
    ...draft.providers,
    [spi.id]: setting === undefined ? remaining : { ...remaining, [id]: setting },
  };
}

function settingRepresentation({ plugin, realmConfig }: RegisteredProvider, { enabled, config = {} }: ProviderSetting) {
  return { enabled: enabled ?? plugin.builtin, config: maskConfig(config, realmConfig) };
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
