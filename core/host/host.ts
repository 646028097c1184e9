import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';
import type { HostOptions } from '../config/options/options.js';
import { Container } from '../di/container.js';
import { Clock, Environment, Log, Options, Version } from '../di/given.js';
import { compose, module, type Replacement, service } from '../di/module.js';
import { systemClock } from '../model/clock.js';
import { boot } from './boot.js';
import { createLogger } from './log.js';
import { MODULES } from './modules.js';
import { checkProductionOptions } from './production-checks.js';
import { type Host, runningHost } from './running-host.js';

/**
 * Puts a host together from its modules and starts it: plugins → store → realms → listen. Whatever fails closes what was
 * opened.
 * @param env environment variables for realm files and plugins
 * @param replace services of the caller's, in place of those that a module provides under the same name: a clock, or a store
 *   in memory, which is closed with the host
 * @throws BootError
 */
export async function createHost(
  options: HostOptions,
  {
    env = {},
    replace = [],
  }: { env?: Readonly<Record<string, string | undefined>>; replace?: readonly Replacement[] } = {},
): Promise<Host> {
  const container = new Container();
  const { use } = container;
  try {
    checkProductionOptions(options);
    for (const replacement of replace) container.replace(replacement);
    const version = await ownVersion();
    compose(container, [given(options, env, version), ...MODULES]);
    return runningHost(container, await boot(container));
  } catch (error) {
    const logger = container.has(Log) ? use(Log) : createLogger(options.logLevel);
    await container.close().catch((failure: unknown) => logger.error('closing failed', { reason: String(failure) }));
    throw error;
  }
}

/** What a host is started with. */
function given(options: HostOptions, env: Readonly<Record<string, string | undefined>>, version: string) {
  return module('host', [
    service(Options, () => options),
    service(Environment, () => env),
    service(Clock, () => systemClock),
    service(Log, () => createLogger(options.logLevel)),
    service(Version, () => version),
  ]);
}

async function ownVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(HOST_DIR, 'package.json'), 'utf8')) as { version: string }).version;
}
