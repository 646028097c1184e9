import { openStore } from '../../core/store/sqlite/open-store.js';

/** Opens the store in the directory of its first argument, prints `open`, and holds the store until it is killed. */
const [, , dataDir = ''] = process.argv;
await openStore({ dataDir });
process.stdout.write('open\n');
// biome-ignore lint/plugin: the interval prevents the process from exiting
setInterval(() => undefined, 1000);
