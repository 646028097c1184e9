import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options/options.js';
import type { Problem } from '../config/problem.js';

/**
 * Checks the options of a production start.
 * @throws BootError `production_unsafe` if they lack the public address, or a decision about TLS
 */
export function checkProductionOptions(options: HostOptions): void {
  if (options.mode !== 'start') return;
  const problems: Problem[] = [];
  const addProblem = (file: string, message: string) => problems.push({ file, line: 0, column: 0, path: '', message });
  if (options.hostname === undefined) addProblem('--hostname', 'is required: tokens contain this address');
  if (options.httpsPort === undefined && options.proxyHeaders === undefined && !options.httpEnabled) {
    addProblem('--https-port', 'is required, or --proxy-headers for a reverse proxy with TLS, or --http-enabled');
  }
  if (problems.length === 0) return;
  throw new BootError('production_unsafe', 'cannot start in production mode', {
    problems,
    hint: 'use keyhost start-dev for development',
  });
}
