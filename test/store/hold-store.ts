import { openStore } from '../../core/store/sqlite/open-store.js';

/** A program that opens the store in its first argument, says so and keeps it until it is killed. */
const [, , dataDir = ''] = process.argv;
await openStore({ dataDir });
process.stdout.write('open\n');
// biome-ignore lint/plugin: it keeps the process running
setInterval(() => undefined, 1000);
