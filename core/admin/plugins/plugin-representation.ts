import type { PluginNeeds, Schedule } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { ScheduleState, Schedules } from '../../registry/schedules/schedules.js';
import { type CallCounts, FAILED_RESULTS } from '../../registry/sessions/call-counts.js';
import type { ProviderCalls } from '../../registry/sessions/provider-calls.js';
import type { PluginsStatus } from '../../registry/updates/update-report.js';
import {
  type CallsRepresentation,
  describeCalls,
  describePlugin,
  type PluginRepresentation,
} from '../providers/provider-representation.js';

/** The sources of plugins' call counts. */
export interface PluginSources {
  readonly registry: ProviderRegistry;
  readonly calls: ProviderCalls;
  readonly schedules: Pick<Schedules, 'stateOf'>;
}

export interface BootSources extends PluginSources {
  /** Services of the host, in order of creation. */
  readonly createdServices: () => readonly { readonly module: string; readonly name: string; readonly ms: number }[];
}

type Status = PluginsStatus['plugins'][number];

/** A plugin in the response of `GET /admin/plugins`. */
interface HostPluginRepresentation extends Omit<Status, 'providers'>, Pick<PluginRepresentation, 'limits'> {
  /** The rights that the plugin declares, each with its purpose. */
  readonly needs?: PluginNeeds;
  /** The rights that plugins.json grants to the plugin, by realm; `*` means every realm except `master`. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
  readonly providers: readonly {
    readonly spi: string;
    readonly id: string;
    /** The calls in all realms since this node started. */
    readonly calls: CallsRepresentation;
    /** Number of realms in which the provider was called. */
    readonly realms: number;
    /** Only for schedules: the times and the last results. */
    readonly schedule?: Schedule & ScheduleState;
  }[];
}

/** The calls of one provider in one realm. */
interface RealmCallsRepresentation extends CallsRepresentation {
  readonly spi: string;
  readonly id: string;
  readonly module: string;
  readonly realm: string;
}

/** Adds limits, rights and calls to the status of the host's plugins. Other members are unchanged. */
export function describePlugins(
  status: PluginsStatus,
  sources: PluginSources,
): Omit<PluginsStatus, 'plugins'> & { plugins: readonly HostPluginRepresentation[] } {
  const pluginProviders = providersOfPlugins(sources.registry);
  const counts = new Map<string, CallCounts[]>();
  for (const count of sources.calls.counts())
    counts.set(count.provider, [...(counts.get(count.provider) ?? []), count]);
  const plugins = status.plugins.map((plugin) => {
    const providers = pluginProviders.filter((provider) => provider.plugin.module === plugin.module);
    const limits = providers[0] && describePlugin(providers[0].plugin, sources.calls).limits;
    return {
      ...plugin,
      ...defined({ limits }),
      ...rightsOf(sources, plugin.module),
      providers: providers.map(({ spi, id, schedule }) => {
        const providerCounts = counts.get(`${spi.id}/${id}`) ?? [];
        const scheduleState = schedule && { ...schedule, ...sources.schedules.stateOf(`${spi.id}/${id}`) };
        return {
          spi: spi.id,
          id,
          calls: describeCalls(sumCounts(providerCounts)),
          realms: providerCounts.length,
          ...defined({ schedule: scheduleState }),
        };
      }),
    };
  });
  return { ...status, plugins };
}

/**
 * The calls by realm, sorted by failures, then by calls.
 * @param module limits the result to one plugin
 */
export function callsByRealm(module: string | undefined, sources: PluginSources): RealmCallsRepresentation[] {
  const providers = new Map(
    providersOfPlugins(sources.registry).map((provider) => [`${provider.spi.id}/${provider.id}`, provider]),
  );
  const rows: RealmCallsRepresentation[] = [];
  for (const counts of sources.calls.counts()) {
    const provider = providers.get(counts.provider);
    const { spi, id, plugin } = provider ?? {};
    if (spi === undefined || id === undefined || plugin?.module === undefined) continue;
    if (module !== undefined && plugin.module !== module) continue;
    rows.push({ spi: spi.id, id, module: plugin.module, realm: counts.realm, ...describeCalls(counts) });
  }
  return rows.sort((a, b) => failuresOf(b) - failuresOf(a) || callsOf(b) - callsOf(a) || (a.realm < b.realm ? -1 : 1));
}

/** Durations of the start in milliseconds: of creating each service, and of opening each plugin's providers. */
export function describeBoot({ registry, createdServices }: BootSources) {
  return {
    services: createdServices().map(({ module, name, ms }) => ({ module, name, milliseconds: ms })),
    providers: providersOfPlugins(registry).map(({ spi, id, plugin, openMs }) => ({
      plugin: `${plugin.name}@${plugin.version}`,
      spi: spi.id,
      id,
      milliseconds: openMs,
    })),
  };
}

/** The rights that a plugin declares, and those that it is granted. Absent if there are none. */
function rightsOf({ registry }: PluginSources, module: string): Pick<HostPluginRepresentation, 'needs' | 'grants'> {
  const loaded = registry.current.plugins.find(({ origin }) => origin.module === module)?.loaded;
  const grants = loaded?.entry.grants ?? {};
  return defined({ needs: loaded?.plugin.needs, grants: Object.keys(grants).length === 0 ? undefined : grants });
}

function providersOfPlugins(registry: ProviderRegistry): RegisteredProvider[] {
  return registry.list().filter(({ plugin }) => plugin.module !== undefined);
}

function sumCounts(counts: readonly CallCounts[]): Pick<CallCounts, 'running' | 'seconds' | 'ends'> {
  const ends: CallCounts['ends'] = new Map();
  for (const entry of counts) for (const [end, count] of entry.ends) ends.set(end, (ends.get(end) ?? 0) + count);
  const sum = (member: 'running' | 'seconds') => counts.reduce((total, entry) => total + entry[member], 0);
  return { running: sum('running'), seconds: sum('seconds'), ends };
}

function failuresOf({ ends }: CallsRepresentation): number {
  return FAILED_RESULTS.reduce((sum, end) => sum + (ends[end] ?? 0), 0);
}

function callsOf({ ends, running }: CallsRepresentation): number {
  return Object.values(ends).reduce((sum, count) => sum + count, running);
}
