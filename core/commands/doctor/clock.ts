import { statSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';
import { messageOf } from '../../model/thrown.js';
import { type Finding, findings } from './finding.js';

const { ok, warning, problem } = findings('clock');
/** The difference between clocks that clients usually accept, in milliseconds. */
const TOLERANCE_MS = 30_000;
const WAIT_MS = 5_000;

/**
 * Checks that the clock is later than the installation of Keyhost and, if `reference` is set, agrees with that server.
 * @param reference a URL
 */
export async function checkClock(now: number, reference: string | undefined): Promise<Finding[]> {
  const fix = 'set the clock, and keep it right with NTP: timedatectl set-ntp true';
  const installed = statSync(join(HOST_DIR, 'package.json')).mtimeMs;
  const time = new Date(now).toISOString();
  if (now < installed) return [problem(`it is ${time}, before Keyhost was installed`, fix)];
  if (reference === undefined)
    return [ok(`it is ${time}, not before Keyhost was installed. To compare it with a server, use --clock-from URL`)];
  try {
    const response = await fetch(reference, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const serverTime = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(serverTime)) return [warning(`${reference} does not say its time`, 'name another server')];
    const seconds = Math.round((now - serverTime) / 1000);
    if (Math.abs(now - serverTime) < TOLERANCE_MS) return [ok(`it is ${time}, as at ${reference}`)];
    return [problem(`the clock differs by ${seconds} seconds from ${reference}`, fix)];
  } catch (error) {
    return [warning(`${reference} cannot be reached: ${messageOf(error)}`, 'name another server')];
  }
}
