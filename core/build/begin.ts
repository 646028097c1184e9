import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCodeCache } from './code-cache.js';

/**
 * Runs the host of the bundle that contains this file.
 * @param env the process environment
 */
export function runBundle(env: Readonly<Record<string, string | undefined>>): void {
  const require = createRequire(import.meta.url);
  const { build } = require('./package.json') as { build: string };
  const bundle = dirname(fileURLToPath(import.meta.url));
  const requestedFolder = env.KEYHOST_CODE_CACHE;
  const problem = useCodeCache({ bundle, build, requestedFolder, userCaches: env.XDG_CACHE_HOME });
  if (problem !== undefined)
    process.stderr.write(`keyhost: KEYHOST_CODE_CACHE=${requestedFolder} is ignored: ${problem}\n`);
  require('./main.js');
}
