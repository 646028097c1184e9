import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '@keyhost/spi';

type Environment = Readonly<Record<string, string | undefined>>;

/** Timeout of `systemd-notify` in milliseconds. */
const NOTIFY_TIMEOUT_MS = 5_000;

/**
 * Notifies the service manager of this process (sd_notify(3)) if `NOTIFY_SOCKET` is set. The socket takes datagrams,
 * which Node cannot send to a path, so `systemd-notify` sends them and waits until they are read. Therefore the unit
 * needs `NotifyAccess=all`. A failure is only logged, because the service manager has its own timeout.
 */
export async function notifySupervisor(state: 'READY' | 'STOPPING', env: Environment, logger: Logger): Promise<void> {
  const { NOTIFY_SOCKET, PATH } = env;
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return;
  try {
    // The child process does not get the secrets in this environment.
    const child = spawn('systemd-notify', [`${state}=1`], {
      env: { NOTIFY_SOCKET, ...(PATH && { PATH }) },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: NOTIFY_TIMEOUT_MS,
    });
    let errorOutput = '';
    // Without free file descriptors, Node creates no pipe, and emits an error later.
    child.stderr?.on('data', (chunk) => (errorOutput += String(chunk)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code !== 0)
      logger.error(`systemd-notify ${state}=1 failed`, { reason: errorOutput.trim() || String(code ?? signal) });
  } catch (error) {
    logger.error(`cannot run systemd-notify ${state}=1: systemd gets no notification`, { reason: String(error) });
  }
}
