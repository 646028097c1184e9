import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WorkerStart } from './frames.js';
import { readOutput } from './thread-output.js';

export interface SpawnParts {
  /** The package's name. */
  readonly module: string;
  readonly file: string;
  /** The limit of the old-generation heap, in megabytes. */
  readonly memoryLimitMb: number;
  /** The number of bytes of heap, or of buffers, above which the worker reports low memory by itself. */
  readonly softMemoryBytes: number;
  readonly env: Readonly<Record<string, string>>;
  /** Called with each line that the plugin writes to a standard stream. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

/**
 * Starts a thread with a port of its own. It gets nothing from this process, such as its environment, except these
 * parameters.
 */
export function spawnWorker({ module, file, memoryLimitMb, softMemoryBytes, env, onLine }: SpawnParts): {
  worker: Worker;
  port: MessagePort;
} {
  const { port1, port2 } = new MessageChannel();
  const workerData: WorkerStart = { port: port2, file, softMemory: softMemoryBytes };
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
    // The young generation gets an eighth of the limit, because garbage in it counts as used memory until it is
    // collected.
    resourceLimits: {
      maxOldGenerationSizeMb: memoryLimitMb,
      maxYoungGenerationSizeMb: Math.max(8, Math.floor(memoryLimitMb / 8)),
    },
  });
  for (const name of ['stdout', 'stderr'] as const) readOutput(worker[name], (line) => onLine(line, name));
  return { worker, port: port1 };
}
