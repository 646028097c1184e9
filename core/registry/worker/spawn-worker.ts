import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WorkerStart } from './frames.js';
import { readOutput } from './thread-output.js';

export interface SpawnParts {
  /** The package's name. */
  readonly module: string;
  readonly file: string;
  /** The limit of the old heap, in megabytes. */
  readonly memory: number;
  /** Bytes of heap, or of buffers, at which the worker reports low memory by itself. */
  readonly softMemory: number;
  readonly env: Readonly<Record<string, string>>;
  /** Called with each line that the plugin writes to a standard stream. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

/**
 * Starts a thread with its own port. It gets nothing of this process, such as its environment, except what is passed
 * here.
 */
export function spawnWorker({ module, file, memory, softMemory, env, onLine }: SpawnParts): {
  worker: Worker;
  port: MessagePort;
} {
  const { port1, port2 } = new MessageChannel();
  const workerData: WorkerStart = { port: port2, file, softMemory };
  const worker = new Worker(new URL('./worker-entry.js', import.meta.url), {
    workerData,
    transferList: [port2],
    name: module,
    env,
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    // An eighth of the limit for the young heap: garbage in it that is not collected yet counts as used memory.
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: Math.max(8, Math.floor(memory / 8)) },
  });
  for (const name of ['stdout', 'stderr'] as const) readOutput(worker[name], (line) => onLine(line, name));
  return { worker, port: port1 };
}
