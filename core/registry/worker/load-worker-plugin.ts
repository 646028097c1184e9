import type { HostContext, JsonSchema, ProviderDefinition, ProviderFactory } from '@keyhost/spi';
import { methodsOf, spiOf } from '../loading/host-spis.js';
import { type DescribedProvider, MIGRATE_PLACEHOLDER } from './frames.js';
import { remoteProvider } from './remote-provider.js';
import { SupervisedWorker, type WorkerOptions } from './supervised-worker.js';
import type { Workers } from './workers.js';

/** The default export of a module, not validated, and a function that ends its worker. */
export interface WorkerPluginImport {
  readonly plugin: unknown;
  close(): Promise<void>;
}

/**
 * Imports a plugin in a worker. The result looks like a plugin of this process: its declarations are here, and its
 * methods run in the worker.
 * @throws any error of the import, HostError `worker_down` or `time_limit`
 */
export async function loadWorkerPlugin(options: WorkerOptions, workers: Workers): Promise<WorkerPluginImport> {
  const worker = new SupervisedWorker(options, workers);
  const close = () => worker.close();
  try {
    return { plugin: pluginOf(await worker.load(), worker), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function pluginOf(described: unknown, worker: SupervisedWorker): unknown {
  const { providers, state } = (described ?? {}) as { providers?: unknown; state?: unknown };
  if (!Array.isArray(providers)) return described;
  const stateMember = state === undefined ? {} : { state: stateOf(state, worker) };
  return {
    ...(described as object),
    ...stateMember,
    providers: providers.map((provider) => definitionOf(provider, worker)),
  };
}

function stateOf(state: unknown, worker: SupervisedWorker): unknown {
  if ((state as { migrate?: unknown } | null)?.migrate !== MIGRATE_PLACEHOLDER) return state;
  return {
    ...(state as object),
    migrate: (...migrateArguments: unknown[]) => worker.requireThread().callPlugin('migrate', migrateArguments),
  };
}

function definitionOf(described: DescribedProvider, worker: SupervisedWorker): Omit<ProviderDefinition, 'open'> {
  const { opens, ...rest } = described;
  const definition = {
    ...(rest as ProviderDefinition),
    config: rest.config as JsonSchema | undefined,
    realmConfig: rest.realmConfig as JsonSchema | undefined,
  };
  if (!opens) return { ...definition, open: undefined } as Omit<ProviderDefinition, 'open'>;
  return {
    ...definition,
    // When a provider is opened, `spi` is this host's own definition.
    open(this: ProviderDefinition, config: unknown, host: HostContext) {
      return openRemote(this, config, host, worker);
    },
  } as ProviderDefinition;
}

async function openRemote(
  definition: ProviderDefinition,
  config: unknown,
  host: HostContext,
  worker: SupervisedWorker,
): Promise<ProviderFactory<unknown, unknown>> {
  const spi = spiOf(definition);
  const key = `${spi.id}/${definition.id}`;
  const methods = methodsOf(spi, definition);
  const names = [...(methods.required ?? []), ...(methods.optional ?? []), 'close'];
  const factory = await worker.open(key, config, names, host.version);
  if (factory === undefined) return {} as ProviderFactory<unknown, unknown>;
  const remote = { worker, spi, key, factory, methods };
  return {
    create: (session, realmConfig) => remoteProvider(remote, session, realmConfig),
    close: () => worker.closeFactory(factory),
  };
}
