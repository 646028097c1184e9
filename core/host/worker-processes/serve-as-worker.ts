import type { HostOptions } from '../../config/options/options.js';
import { Metrics } from '../metrics.js';
import { Operations } from '../module.js';
import type { ProcessExit } from '../process-exit.js';
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
  parent.ready({ url: host.url, grpcAddress: host.grpcAddress });
}
