import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster, startSingle } from './cluster.js';
import { ANSWER_MS } from './database-stop.js';
import { progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `The disk of the database becomes full under load, and has room again: a file system in memory of its own, which root may mount. PostgreSQL
ends itself where its log cannot be written, and is started again when there is room. SQLite is the data directory of the only node.`;
const SIZE_MB = 400;

const options = trialOptions('disk-full', ABOUT, {
  rounds: ['10', 'how often it becomes full'],
  rate: ['40', 'requests in a second'],
  store: ['postgresql', 'or sqlite'],
  seconds: ['8', 'how long it stays full'],
});
const rounds = Number(options.rounds);
const disk = mkdtempSync(join(tmpdir(), 'keyhost-disk-'));
try {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', disk], { stdio: 'pipe' });
} catch (error) {
  rmSync(disk, { recursive: true });
  process.stdout.write(`skipped: no file system can be mounted here (${String((error as Error).message).trim()})\n`);
  process.exit(0);
}
chmodSync(disk, 0o755);
const ballasts: string[] = [];
/** Fills all free space, to the last block. */
const fill = () => {
  const { bavail, bsize } = statfsSync(disk);
  if (bavail === 0) return;
  const file = join(disk, `ballast-${ballasts.length}`);
  ballasts.push(file);
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // The store has taken the space first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
};
const isSqlite = options.store === 'sqlite';
const ofDisk = { parent: disk, settings: ['max_wal_size = 64MB'] };
const postgresql = isSqlite ? undefined : await startCluster({ nodes: 2, database: ofDisk });
const cluster = postgresql ?? (await startSingle({ data: join(disk, 'data') }));
let restarts = 0;
try {
  const ledger = await underLoad(
    { url: cluster.url, rate: Number(options.rate), limit: ANSWER_MS },
    async (applications, seen) => {
      for (let round = 1; round <= rounds; round += 1) {
        await sleep(1000);
        for (let second = 0; second < Number(options.seconds); second += 1) {
          // Fill the space that the store frees meanwhile, too.
          fill();
          await sleep(1000);
        }
        for (const file of ballasts.splice(0)) rmSync(file, { force: true });
        if (postgresql?.database.isRunning === false) {
          restarts += 1;
          await postgresql.database.start();
        }
        await applications.check();
        progress(`round ${round}: ${seen.told()}; ${seen.checked} looked after`);
      }
    },
  );
  const notes = restarts > 0 ? [`PostgreSQL ended itself ${restarts} times`] : [];
  tellTrials([{ fault: `disk full, ${options.store}`, rounds, ledger, notes }]);
} finally {
  await cluster.close();
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}
process.exit();
