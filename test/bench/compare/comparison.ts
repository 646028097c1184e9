/** A row of the comparison with running servers. */
export interface Comparison {
  readonly name: string;
  /** Keyhost first. */
  readonly servers: readonly (Compared | Refused)[];
}

/** Medians of the runs. */
export interface Compared {
  readonly server: string;
  /** The server's CPU time per request, in microseconds; null if no process was given. */
  readonly cpu: number | null;
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
  /** Relative to Keyhost: the median of the runs' ratios. Undefined for Keyhost itself. */
  readonly cpuRatio?: number;
  /** Keyhost's requests per second relative to this server's. */
  readonly speedRatio?: number;
}

/** A server that does not support it, with the reason. */
export interface Refused {
  readonly server: string;
  readonly refused: string;
}

export const isRefused = (one: Compared | Refused): one is Refused => 'refused' in one;
