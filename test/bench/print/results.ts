import type { Comparison } from '../compare/comparison.js';
import type { Figure } from '../figure.js';
import type { Circumstances } from '../machine.js';

/** All results of a run of the bench. */
export interface Results {
  readonly circumstances: Circumstances;
  readonly runs: number;
  /** The duration of a run. */
  readonly seconds: number;
  readonly nodes: readonly NodeResults[];
}

/** The results with one Node. */
export interface NodeResults {
  /** Such as `v20.20.2`. */
  readonly node: string;
  readonly figures: Figure[];
  readonly comparisons: Comparison[];
  readonly failures: Failure[];
}

/** A measurement that could not be made. */
export interface Failure {
  readonly name: string;
  readonly reason: string;
}

export const isComparison = (one: Figure | Comparison): one is Comparison => 'servers' in one;
