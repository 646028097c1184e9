import { defined } from '../../model/defined.js';
import type { ProviderSetting, RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ConfigProblem, RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { AdminError, badRequest, notFound } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import type { AdminOperation } from '../operation.js';
import { ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { maskConfig, restoreSecrets } from './config-secrets.js';
import {
  configProblems,
  describeProblem,
  describeProblems,
  type ProviderRepresentation,
  type ProviderSources,
  providersOf,
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
    // These members are shown and may be sent back, but not changed.
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
 * Keyhost only: `/admin/realms/{realm}/providers`, the registered providers and the realm's use and settings of each.
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
      handle: ({ realm, exchange }) => ok(providersOf(realm, parts, new AdminTexts({ exchange }))),
    },
    {
      method: 'GET',
      path: '/providers/{spi}/{id}',
      tag: TAG,
      summary: 'One provider with its state in the realm',
      roles: ['view-realm'],
      notForPlugins: true,
      etag: realmPartOf,
      answers: { status: 200, body: PROVIDER_SCHEMA },
      handle({ realm, params: { spi, id }, exchange }) {
        const found = providersOf(realm, parts, new AdminTexts({ exchange })).find(
          (one) => one.spi === spi && one.id === id,
        );
        if (found === undefined) throw unknown(spi, id);
        return ok(found);
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
        const provider = registry.list().find((one) => one.spi.id === spi && one.id === id);
        if (provider === undefined) throw unknown(spi, id);
        const change = body as ProviderChange;
        if (change.enabled !== undefined && provider.spi.enabledBy === 'realm-key') {
          throw badRequest(`enabled: ${spi} is switched by the realm's own key "${provider.spi.realm?.key}", not here`);
        }
        const edit = withEscalationCheck(admin, (draft) => {
          const before = draft.providers?.[provider.spi.id]?.[provider.id] ?? {};
          const after = changed(provider, before, change);
          put(draft, provider, after);
          setEventDetails({ eventRepresentation: { before: shown(provider, before), after: shown(provider, after) } });
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

/** @throws AdminError 400 if the configuration does not fit the provider's schema */
function changed(provider: RegisteredProvider, before: ProviderSetting, change: ProviderChange): ProviderSetting {
  const members = new Map([...Object.entries(before.config ?? {}), ...Object.entries(change.config ?? {})]);
  const merged = Object.fromEntries([...members].filter(([, value]) => value !== null));
  const secrets = { sent: change.config, schema: provider.realmConfig };
  const config = restoreSecrets(merged, before.config, secrets) as Record<string, unknown>;
  const enabled = change.enabled ?? before.enabled;
  // A disabled provider may keep an invalid configuration, so that disabling always works. A configuration that belongs
  // to another provider is checked with the realm.
  if (provider.sharesConfig === undefined && (change.config !== undefined || enabled === true)) {
    const problems = configProblems(provider, config);
    if (problems.length > 0) throw refusedConfig(problems);
  }
  return {
    ...defined({ enabled }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

/** Stores a setting, or removes its entry if it equals the default. An empty configuration need not fit the schema. */
function put(draft: RealmRepresentation, { spi, id, plugin }: RegisteredProvider, setting: ProviderSetting): void {
  const saysNothing = setting.config === undefined && (setting.enabled ?? plugin.builtin) === plugin.builtin;
  const { [id]: _, ...others } = draft.providers?.[spi.id] ?? {};
  draft.providers = { ...draft.providers, [spi.id]: saysNothing ? others : { ...others, [id]: setting } };
}

function shown({ spi, plugin, realmConfig }: RegisteredProvider, { enabled, config = {} }: ProviderSetting) {
  return {
    ...(spi.enabledBy === 'realm-key' ? {} : { enabled: enabled ?? plugin.builtin }),
    config: maskConfig(config, realmConfig),
  };
}

/** One text for people, and each problem with its path in `config` for a form. */
function refusedConfig(problems: readonly ConfigProblem[]): AdminError {
  const errors = problems.map((problem) => ({ pointer: problem.pointer, message: describeProblem(problem) }));
  return new AdminError(400, { errorMessage: describeProblems(problems), errors });
}

function unknown(spi = '', id = '') {
  return notFound(`Provider ${spi}/${id} not found`);
}

/** The part that the realm determines. Calls, health and the plugin change without an edit. */
function realmPartOf(body: unknown): unknown {
  const { spi, id, enabled, config } = body as ProviderRepresentation;
  return { spi, id, enabled, config };
}
