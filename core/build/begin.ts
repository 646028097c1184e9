import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCodeCache } from './code-cache.js';

/** Runs the program of the bundle that this file is in. @param env the process environment */
export function runBundle(env: Readonly<Record<string, string | undefined>>): void {
  const require = createRequire(import.meta.url);
  const { build } = require('./package.json') as { build: string };
  const bundle = dirname(fileURLToPath(import.meta.url));
  const place = env.KEYHOST_CODE_CACHE;
  const problem = useCodeCache({ bundle, build, place, caches: env.XDG_CACHE_HOME });
  if (problem !== undefined) process.stderr.write(`keyhost: KEYHOST_CODE_CACHE=${place} is ignored: ${problem}\n`);
  require('./main.js');
}
