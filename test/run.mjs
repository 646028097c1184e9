import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm test` runs all tests, `npm test -- login oidc` those of rooms, `npm test -- test/oidc/metadata.test.ts` a file; what
 * begins with a dash is AVA's own. A room that there is not is a mistake, and does not mean all of them.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const words = process.argv.slice(2);
const isPattern = (word) => word.startsWith('-') || word.includes('/') || word.includes('*');
const unknown = words.find((word) => !isPattern(word) && !existsSync(`${HERE}${word}`));
if (unknown !== undefined) {
  process.stderr.write(`there is no folder test/${unknown}\n`);
  process.exit(2);
}
const patterns = words.map((word) => (isPattern(word) ? word : `test/${word}/**/*.test.ts`));
const ava = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.mjs', import.meta.url));
// What V8 keeps of the bundle stays with the packages, and is warm for the next run.
const caches = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(caches, { recursive: true });
const env = { ...process.env, XDG_CACHE_HOME: caches };
spawn(process.execPath, [ava, ...patterns], { stdio: 'inherit', env }).on('close', (code) => process.exit(code ?? 1));
