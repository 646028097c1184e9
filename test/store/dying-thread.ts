import { parentPort } from 'node:worker_threads';

/** A writer thread that opens, and then fails at its first message. */
parentPort?.on('message', () => {
  throw new Error('a fault');
});
parentPort?.postMessage({ opened: true });
