import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { temporaryDirectory } from './temporary-directory.js';

const CHILD = fileURLToPath(new URL('./exit-child.js', import.meta.url));
/** Without the gate, each run ends by SIGABRT with a chance of more than one in four. */
const RUNS = 12;

test('exit code: SQLite store: a process that exits while writes are under way ends with its exit code, not by a signal', async (t) => {
  const dir = await temporaryDirectory(t);
  for (let run = 0; run < RUNS; run++) {
    const child = spawn(process.execPath, [CHILD, dir], { stdio: 'ignore' });
    t.deepEqual(await once(child, 'exit'), [7, null], `run ${run}`);
  }
});
