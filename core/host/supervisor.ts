import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '@keyhost/spi';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long `systemd-notify` may take to deliver a message, in milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Tells the service manager that started this process how it stands (sd_notify(3)), where it asked for that by `NOTIFY_SOCKET`.
 * That socket takes datagrams, which Node cannot send to a path: `systemd-notify` sends them, and stays until they are read. So the unit
 * needs `NotifyAccess=all`. What cannot be told is an error in the log, and ends nothing: the manager has a time limit of its own.
 */
export async function tellSupervisor(state: 'READY' | 'STOPPING', env: Environment, logger: Logger): Promise<void> {
  const { NOTIFY_SOCKET, PATH } = env;
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return;
  try {
    // Secrets of the environment are nothing to it.
    const child = spawn('systemd-notify', [`${state}=1`], {
      env: { NOTIFY_SOCKET, ...(PATH && { PATH }) },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    });
    let said = '';
    // Out of file descriptors Node makes no pipe, and tells the error a moment later.
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code !== 0) logger.error(`systemd-notify ${state}=1 failed`, { reason: said.trim() || String(code ?? signal) });
  } catch (error) {
    logger.error(`cannot run systemd-notify ${state}=1: systemd gets no notification`, { reason: String(error) });
  }
}
