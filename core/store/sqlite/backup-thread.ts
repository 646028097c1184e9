import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../model/thrown.js';
import type { BackupJob, BackupMessage } from './backup.js';
import { checkStore, openShared } from './open-database.js';
import { syncFile } from './sync-directory.js';

const { file, copy } = workerData as BackupJob;
const post = (word: BackupMessage) => parentPort?.postMessage(word);

try {
  const db = openShared(file);
  const readPragma = (name: string) => Number(Object.values(db.get<Record<string, number>>(`PRAGMA ${name}`) ?? {})[0]);
  post({ bytes: (readPragma('page_count') - readPragma('freelist_count')) * readPragma('page_size') });
  // A snapshot of the store, without unused pages. It blocks no other connection.
  db.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  db.close();
  const copiedDb = openShared(copy);
  checkStore(copiedDb, copy);
  copiedDb.close();
  // SQLite does not sync the file.
  syncFile(copy);
  post({ done: true });
} catch (error) {
  post({ failed: messageOf(error) });
}
