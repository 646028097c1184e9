import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../model/thrown.js';
import type { BackupJob, BackupWord } from './backup.js';
import { checkStore, openBeside } from './open-database.js';
import { syncFile } from './sync-directory.js';

const { file, copy } = workerData as BackupJob;
const tell = (word: BackupWord) => parentPort?.postMessage(word);

try {
  const db = openBeside(file);
  const count = (name: string) => Number(Object.values(db.get<Record<string, number>>(`PRAGMA ${name}`) ?? {})[0]);
  tell({ bytes: (count('page_count') - count('freelist_count')) * count('page_size') });
  // A snapshot of the store, without unused pages. It blocks no other connection.
  db.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  db.close();
  const copied = openBeside(copy);
  checkStore(copied, copy);
  copied.close();
  // SQLite does not.
  syncFile(copy);
  tell({ done: true });
} catch (error) {
  tell({ failed: messageOf(error) });
}
