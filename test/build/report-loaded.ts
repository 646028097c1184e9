import { createRequire } from 'node:module';

/** Preloaded into a host: answers every SIGUSR2 with a line on standard error that lists the loaded CommonJS files. */
const { cache } = createRequire(import.meta.url);
process.on('SIGUSR2', () => process.stderr.write(`LOADED ${JSON.stringify(Object.keys(cache))}\n`));
