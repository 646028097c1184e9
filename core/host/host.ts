import { hostVersion } from '../config/host-version.js';
import type { HostOptions } from '../config/options/options.js';
import { Container } from '../di/container.js';
import { Clock, Environment, Log, Options, Version } from '../di/host-tokens.js';
import { compose, module, type Replacement, replacing, service } from '../di/module.js';
import { AroundGrpcCall } from '../grpc/module.js';
import { CallObserver } from '../registry/module.js';
import { boot } from './boot.js';
import { createLogger } from './log.js';
import { Telemetry, Worker } from './module.js';
import { MODULES } from './modules.js';
import { NodeClock } from './node-clock.js';
import { checkProductionOptions } from './production-checks.js';
import { type Host, toRunningHost } from './running-host.js';
import type { Telemetry as TelemetryOf } from './telemetry/telemetry.js';
import { isTelemetryEnabled } from './telemetry/telemetry-enabled.js';
import type { WorkerInfo } from './worker-processes/worker-info.js';

/**
 * Composes a host from its modules and starts it (see `boot`). If a step fails, it closes what the earlier ones have
 * opened.
 * @param env environment variables for realm files and plugins
 * @param replace services that replace those of a module, such as a clock, or an in-memory store, which is closed with
 * the host
 * @param worker the number of this worker process; its parent process has the management port and the data directory
 * @throws BootError
 */
export async function createHost(
  options: HostOptions,
  {
    env = {},
    replace = [],
    worker,
  }: {
    env?: Readonly<Record<string, string | undefined>>;
    replace?: readonly Replacement[];
    worker?: WorkerInfo | undefined;
  } = {},
): Promise<Host> {
  const container = new Container();
  const { use } = container;
  try {
    checkProductionOptions(options);
    for (const replacement of replace) container.replace(replacement);
    const version = hostVersion();
    const telemetry = isTelemetryEnabled(env) ? await startTelemetry(container, options, version) : undefined;
    compose(container, [callerModule(options, env, version, telemetry, worker), ...MODULES]);
    return toRunningHost(container, await boot(container));
  } catch (error) {
    const logger = container.has(Log) ? use(Log) : createLogger(options.logLevel, worker?.number);
    await container.close().catch((failure: unknown) => logger.error('closing failed', { reason: String(failure) }));
    throw error;
  }
}

/** The module with the services that the caller of `createHost` provides. */
function callerModule(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  telemetry: TelemetryOf | undefined,
  worker: WorkerInfo | undefined,
) {
  return module('host', [
    service(Worker, () => worker),
    service(Telemetry, () => telemetry),
    service(Options, () => options),
    service(Environment, () => env),
    service(NodeClock, () => new NodeClock()),
    service(Clock, (use) => use(NodeClock).clock),
    service(Log, () => {
      const log = createLogger(options.logLevel, worker?.number);
      return telemetry?.wrapLog(log) ?? log;
    }),
    service(Version, () => version),
  ]);
}

/** Starts telemetry before anything else and closes it last, so that it covers all log lines of the host. */
async function startTelemetry(container: Container, { httpRelativePath }: HostOptions, version: string) {
  const { openTelemetry } = await import('./telemetry/open-telemetry.js');
  const telemetry = openTelemetry({ version, relativePath: httpRelativePath });
  container.onClose('telemetry', telemetry.close);
  container.replace(replacing(CallObserver, telemetry.observeCall));
  container.replace(replacing(AroundGrpcCall, telemetry.aroundGrpcCall));
  return telemetry;
}
