import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BootError } from '../../../config/boot-error.js';
import type { Connection } from '../connection.js';
import { openDatabase } from '../open-database.js';
import { ExitGate } from './exit-gate.js';
import { commitGroup, type Request } from './group-commit.js';
import type { OpenMessage, WriterThreadData } from './thread-transport.js';

if (parentPort === null) throw new Error('this module runs in a worker thread');
const port = parentPort;
const { file, appliedAt, exitGate } = workerData as WriterThreadData;
const gate = new ExitGate(exitGate);

try {
  const db = gate.run(() => openDatabase(file, appliedAt));
  port.on('message', (message: readonly Request[] | 'close') => serve(db, message));
  port.postMessage({ opened: true } satisfies OpenMessage);
} catch (error) {
  if (!(error instanceof BootError)) throw error;
  port.postMessage({ opened: false, message: error.message, hint: error.hint } satisfies OpenMessage);
  port.close();
}

/** Runs all requests that have arrived, so that they share transactions. */
function serve(db: Connection, message: readonly Request[] | 'close'): void {
  let waiting: readonly Request[] = [];
  let next: { message: unknown } | undefined = { message };
  let closing = false;
  while (next !== undefined || waiting.length > 0) {
    for (; next !== undefined; next = receiveMessageOnPort(port)) {
      if (next.message === 'close') closing = true;
      else waiting = [...waiting, ...(next.message as readonly Request[])];
    }
    if (waiting.length > 0) {
      const group = waiting;
      const reply = gate.run(() => commitGroup(db, group, 0));
      port.postMessage(reply);
      waiting = waiting.slice(reply.results.length);
    }
    next = receiveMessageOnPort(port);
  }
  if (!closing) return;
  gate.run(() => {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  });
  port.close();
}
