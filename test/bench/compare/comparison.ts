/** A row of the comparison with servers that were running. */
export interface Comparison {
  readonly name: string;
  /** Keyhost first. */
  readonly servers: readonly (Compared | Refused)[];
}

/** Medians of the runs. */
export interface Compared {
  readonly server: string;
  /** Server CPU for a request, in microseconds; null where no process was named. */
  readonly cpu: number | null;
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
  /** Times Keyhost's, the medians of the runs' own ratios; none for Keyhost itself. */
  readonly cpuRatio?: number;
  /** Times as many requests as this server answers does Keyhost answer. */
  readonly speedRatio?: number;
}

/** A server that does not do it, and why. */
export interface Refused {
  readonly server: string;
  readonly refused: string;
}

export const isRefused = (one: Compared | Refused): one is Refused => 'refused' in one;
