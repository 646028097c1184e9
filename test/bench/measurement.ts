import type { Comparison } from './compare/comparison.js';
import type { Figure } from './figure.js';
import type { Processes } from './processes.js';
import type { Servers } from './servers.js';

/** The length and number of measurements. */
export interface Extent {
  /** One short run of each, to check that everything works. */
  readonly quick: boolean;
  readonly runs: number;
  /** The duration of a run. */
  readonly seconds: number;
  /** The warm-up before a run. */
  readonly warmup: number;
}

/** The parts that all measurements with one Node share. */
export interface Bench extends Extent {
  /** The version of the Node that runs the servers. */
  readonly nodeMajor: number;
  readonly processes: Processes;
  readonly servers: Servers;
  /** A folder of the bench, deleted at the end. */
  readonly dir: string;
  /** Reports progress to the user. */
  say(what: string): void;
}

/** A measurement that `--only` can select. */
export interface Measurement {
  readonly name: string;
  /** The estimated duration in seconds. */
  readonly lasts: (extent: Extent) => number;
  measure(bench: Bench): Promise<readonly (Figure | Comparison)[]>;
}
