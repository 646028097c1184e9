import type { Comparison } from './compare/comparison.js';
import type { Figure } from './figure.js';
import type { Processes } from './processes.js';
import type { Servers } from './servers.js';

/** How long and how often is measured. */
export interface Extent {
  /** One short run of each, to see that everything works. */
  readonly quick: boolean;
  readonly runs: number;
  /** Of a run. */
  readonly seconds: number;
  /** Before a run. */
  readonly warmup: number;
}

/** What measurements of one Node share. */
export interface Bench extends Extent {
  /** Of the Node that runs the servers. */
  readonly nodeMajor: number;
  readonly processes: Processes;
  readonly servers: Servers;
  /** A folder of the bench, deleted in the end. */
  readonly dir: string;
  /** Tells who waits what is being done. */
  say(what: string): void;
}

/** Something that `--only` picks. */
export interface Measurement {
  readonly name: string;
  /** About how long it takes, in seconds. */
  readonly lasts: (extent: Extent) => number;
  measure(bench: Bench): Promise<readonly (Figure | Comparison)[]>;
}
