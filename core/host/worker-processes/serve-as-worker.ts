import type { HostOptions } from '../../config/options/options.js';
import { HttpServers } from '../http-servers.js';
import { Metrics } from '../metrics.js';
import { Operations } from '../module.js';
import type { ProcessExit } from '../process-exit.js';
import type { Host } from '../running-host.js';
import { printStart, startProcess } from '../serve.js';
import { ParentChannel } from './parent-channel.js';
import type { WorkerInfo } from './worker-info.js';

/**
 * Runs one of several worker processes, under the control of its parent process. Resolves when it serves requests.
 * @throws BootError
 */
export async function serveAsWorker(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  exit: ProcessExit,
  workerInfo: WorkerInfo,
): Promise<void> {
  const parent = new ParentChannel();
  // A terminal or a service manager signals all processes at once. The parent gets the signal too, and stops this
  // process.
  exit.ignoreSignals();
  exit.reportTo((report) => parent.reportFailure(report));
  parent.onParentEnd(() => exit.exitNow(1));
  const { host, stop } = await startProcess(options, env, exit, { worker: workerInfo });
  const { metrics, operations } = { metrics: host.use(Metrics), operations: host.use(Operations) };
  const { plugins, owner } = operations;
  parent.answer({
    ping: async () => true,
    health: () => operations.health(),
    metrics: () => metrics.json(),
    realms: (withValues) => operations.realms(withValues),
    look: () => plugins.look(),
    reload: (module) => plugins.reload(module),
    rollback: (module) => plugins.rollback(module),
    restart: (module) => plugins.restart(module),
    consoleLogin: (shows, username) => owner.consoleLogin(shows, username),
    consoleLoginState: (id) => owner.consoleLoginState(id),
    signIns: (realm, clientId) => owner.signIns(realm, clientId),
    taken: (realm, names) => owner.taken(realm, names),
  });
  parent.onStop(() => stop());
  if (workerInfo.number === 1) await printStart(host, options);
  exit.reportTo(undefined);
  parent.ready({ url: host.url, grpcAddress: host.grpcAddress, portArguments: portArguments(host, options) });
}

/** Pins replaced ports. A port that was set explicitly, such as 0, has to be the same word in all workers. */
function portArguments(host: Host, { replaceablePorts }: HostOptions): readonly string[] {
  const ports = { 'http-port': host.use(HttpServers).httpPort, 'grpc-port': /\d+$/.exec(host.grpcAddress ?? '')?.[0] };
  return Object.entries(ports).flatMap(([flag, port]) =>
    port !== undefined && replaceablePorts.some((one) => one === flag) ? [`--${flag}`, `${port}`] : [],
  );
}
