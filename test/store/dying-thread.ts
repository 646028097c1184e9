import { parentPort } from 'node:worker_threads';

/** A writer's thread that opens and dies of the first message. */
parentPort?.on('message', () => {
  throw new Error('a fault');
});
parentPort?.postMessage({ opened: true });
