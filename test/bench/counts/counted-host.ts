import { once } from 'node:events';
import { production } from '../keyhost.js';
import type { Processes, Server } from '../processes.js';

/** Counts of a host since its start. */
export interface HostCounts {
  /** Bytes on its JavaScript heap. Without a collection in between, a difference is what was allocated. */
  readonly allocated: number;
  /** Number of garbage collections. */
  readonly collections: number;
  /** Number of queries on the main thread. */
  readonly queries: number;
  /** Number of messages to the writer's thread; each is one transaction and one fsync, or fewer. */
  readonly storeMessages: number;
  /** Number of files of code, and their size in bytes. */
  readonly files: number;
  readonly codeBytes: number;
  /** Names of the files of packages that are loaded on first use. */
  readonly lazyFiles: readonly string[];
  /** Milliseconds since its start. */
  readonly at: number;
}

/**
 * A young generation that holds all that is allocated during a count, so that nothing is collected. V8's memory reducer
 * would collect garbage on a host that waits for a slow machine. Optimized code allocates less, and the machine's speed
 * decides when it is ready, so nothing is optimized.
 */
const FLAGS = [
  '--max-semi-space-size=1024',
  '--min-semi-space-size=1024',
  '--no-memory-reducer',
  '--no-opt',
  '--no-maglev',
];
const PRELOAD = new URL('./preload.js', import.meta.url).href;

/** A host that counts its work. */
export class CountedHost {
  readonly server: Server;

  /** @param root the folder of the repository, or of another commit of it */
  static async start(processes: Processes, dir: string, root: string): Promise<CountedHost> {
    return new CountedHost(
      await processes.start([...FLAGS, '--import', PRELOAD, ...(await production(dir, [], root))], root),
    );
  }

  private constructor(server: Server) {
    this.server = server;
  }

  async counts(): Promise<HostCounts> {
    const { child } = this.server;
    let output = '';
    const listen = (chunk: Buffer) => {
      output += String(chunk);
    };
    child.stderr?.on('data', listen);
    child.kill('SIGUSR2');
    let line: RegExpExecArray | null = null;
    while (line === null) {
      await once(child.stderr ?? child, 'data');
      line = /COUNTS (\{.*\})\n/.exec(output);
    }
    child.stderr?.off('data', listen);
    return JSON.parse(line[1] ?? '') as HostCounts;
  }
}
