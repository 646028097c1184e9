import { createRequire } from 'node:module';

/** Preloaded into a host: answers every signal SIGUSR2 with one line on standard error, the CommonJS files that it has loaded. */
const { cache } = createRequire(import.meta.url);
process.on('SIGUSR2', () => process.stderr.write(`LOADED ${JSON.stringify(Object.keys(cache))}\n`));
