import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options/options.js';
import { Log } from '../di/host-tokens.js';
import { replacing } from '../di/module.js';
import { consoleLoginObstacle } from '../login/console/console-offer.js';
import { OnMailWritten } from '../mail/module.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { traceExits } from '../registry/loading/exit-trace.js';
import { OnStuck } from '../registry/module.js';
import { flushStdout } from './flush-stdout.js';
import { createHost } from './host.js';
import type { ProcessExit } from './process-exit.js';
import { formatReadyMessage } from './ready-message.js';
import type { Host } from './running-host.js';
import { notifySupervisor } from './supervisor.js';
import type { WorkerInfo } from './worker-processes/worker-info.js';

/** If this many threads are stuck in native code, the process drains and ends, so that its supervisor restarts it. */
const MAX_STUCK_THREADS = 2;

interface HostProcess {
  readonly host: Host;
  /**
   * Drains the host, then ends the process.
   * @param reason a reason to print; undefined if it was already reported
   */
  stop(reason?: string): void;
}

/**
 * Runs a host in the main process: starts it, prints information for the terminal, and drains it on SIGTERM or SIGINT.
 * A second signal ends it at once. Resolves when the host is ready.
 * @throws BootError
 */
export async function serve(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  exit: ProcessExit,
): Promise<void> {
  const { host, stop } = await startProcess(options, env, exit, {
    onStop: (logger) => notifySupervisor('STOPPING', env, logger),
  });
  exit.onStop(stop);
  await printStart(host, options);
  const grpc = host.grpcAddress === undefined ? '' : ` grpc=${host.grpcAddress}`;
  process.stdout.write(`Keyhost ready http=${host.url}${grpc} management=${host.managementUrl}\n`);
  await notifySupervisor('READY', env, host.use(Log));
}

/**
 * Starts the host of this process. The process ends if too many of its threads hang.
 * @param more.onStop called when the host begins to drain
 * @throws BootError
 */
export async function startProcess(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  exit: ProcessExit,
  { worker, onStop }: { worker?: WorkerInfo; onStop?: (logger: Logger) => Promise<void> },
): Promise<HostProcess> {
  let host: Host | undefined;
  let isStopping = false;
  const stop = (reason?: string) => {
    if (isStopping || host === undefined) return;
    isStopping = true;
    if (reason !== undefined) process.stderr.write(`keyhost: ${reason}, draining\n`);
    Promise.all([host.close(), onStop?.(host.use(Log))]).then(
      () => exit.exitNow(0),
      (error: unknown) => {
        process.stderr.write(`keyhost: stopping failed: ${String(error)}\n`);
        exit.exitNow(1);
      },
    );
  };
  const onStuck = (threads: number) => {
    exit.setStuckThreads(threads);
    if (threads >= MAX_STUCK_THREADS) stop('plugins hang in native code');
  };
  const replace = [replacing(OnMailWritten, logMailFile), replacing(OnStuck, onStuck)];
  host = await createHost(options, { env, replace, worker });
  exit.setExit(traceExitsOfPlugins(host));
  return { host, stop };
}

/**
 * Logs which plugin calls `process.exit` in this process.
 * @returns the original exit function
 */
function traceExitsOfPlugins({ use }: Host): (code: number) => never {
  const registry = use(ProviderRegistry);
  return traceExits(
    () => registry.current.plugins.flatMap(({ loaded }) => (loaded?.entry.isolation === 'none' ? [loaded] : [])),
    use(Log),
  );
}

/** Prints the information about a started host for the terminal. */
export async function printStart(host: Host, options: HostOptions): Promise<void> {
  if (host.bootTree !== '') process.stdout.write(`${host.bootTree}\n`);
  if (host.newAdmin !== undefined) {
    const { username, password } = host.newAdmin;
    await flushStdout(`Admin of the realm master (shown only once): ${username} / ${password}\n`).catch(
      throwNotPrinted,
    );
    await host.onAdminDisplayed();
  }
  if (options.mode !== 'start-dev') return;
  const url = host.publicUrl;
  const adminUrl = options.hostnameAdmin ?? host.publicUrl;
  const hasConsole = consoleLoginObstacle(options) === undefined;
  process.stdout.write(
    formatReadyMessage({ url, adminUrl, hasConsole, trialUsers: await host.trialUsers() }, process.stdout.isTTY),
  );
}

/** @throws BootError `bootstrap_admin`; the next start generates another password and prints it */
function throwNotPrinted(cause: unknown): never {
  throw new BootError('bootstrap_admin', 'cannot print the password of the admin of the realm master', {
    hint: 'start with an output that something reads, or with --bootstrap-admin-username and --bootstrap-admin-password',
    cause,
  });
}

/** Prints a mail that was written to a file, with the link in it. Used in development only. */
function logMailFile({
  file,
  mail,
}: {
  file: string;
  mail: { to: { address: string }; subject: string; text: string };
}): void {
  const link = /^https?:\/\/\S+$/m.exec(mail.text)?.[0] ?? '';
  process.stdout.write(`Email to ${mail.to.address}: ${mail.subject}\n  ${link}\n  ${file}\n`);
}
