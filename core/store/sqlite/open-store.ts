import { BootError } from '../../config/boot-error.js';
import { type Clock, systemClock } from '../../model/clock.js';
import { RecordStore } from '../records/record-store.js';
import type { Store } from '../store.js';
import { refuseDraft } from './copy-folder.js';
import { prepareDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './directory-lock.js';
import { openMemoryDatabase, openReader } from './open-database.js';
import { SqliteReader } from './reader.js';
import { SqliteEngine } from './sqlite-engine.js';
import { LocalTransport } from './writing/local-transport.js';
import { ThreadTransport } from './writing/thread-transport.js';
import { SqliteWriter } from './writing/writer.js';

/**
 * Opens the store in a data directory. The directory belongs to this process until the store is closed or the process
 * ends.
 * @param options.clock dates migrations; default: the system's clock
 * @throws BootError `store_locked` if another process has the directory. `store_failed` if the directory cannot be
 * used, the store is damaged or was written by a newer Keyhost, or a store is being copied into it
 */
export async function openStore({ dataDir, clock = systemClock }: { dataDir: string; clock?: Clock }): Promise<Store> {
  const directory = prepareDataDirectory(dataDir);
  const release = lockDataDirectory(directory);
  const file = directory.database;
  const writer = new SqliteWriter();
  try {
    refuseDraft(file);
    const transport = await ThreadTransport.open({ file, appliedAt: clock.now() }, writer);
    writer.connect(transport);
    return new RecordStore(new SqliteEngine(new SqliteReader(openReader(file)), writer, release));
  } catch (error) {
    await writer.close();
    release();
    if (error instanceof BootError) throw error;
    throw new BootError('store_failed', `cannot read the store ${file}`, { cause: error });
  }
}

/**
 * Opens a store in memory, which is lost when it is closed. It uses the same engine with one connection, on the calling
 * thread.
 * @param options.isShared true if several hosts of this process use it
 */
export async function openMemoryStore({
  clock = systemClock,
  isShared = false,
}: {
  clock?: Clock;
  isShared?: boolean;
} = {}): Promise<Store> {
  const db = openMemoryDatabase(clock.now());
  const writer = new SqliteWriter();
  writer.connect(new LocalTransport(db, writer));
  return new RecordStore(new SqliteEngine(new SqliteReader(db, isShared), writer));
}
