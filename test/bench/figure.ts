/** A measured value, as one row of the table. */
export interface Figure {
  readonly name: string;
  readonly unit: 'µs' | 'ms' | 'KB' | 'MB';
  readonly ours: number;
  /** The peer's value. */
  readonly theirs?: number;
  readonly peer?: string;
  /** The median of the runs' ratios, which is not the ratio of the medians. */
  readonly ratio?: number;
  /** The smallest and the largest ratio of the runs. */
  readonly spread?: readonly [number, number];
  readonly goals: readonly Goal[];
}

/** The most that `ours` or the ratio may be. */
export interface Goal {
  readonly most: number;
  readonly of: 'ours' | 'ratio';
}

export const times = (most: number): Goal => ({ most, of: 'ratio' });
export const atMost = (most: number): Goal => ({ most, of: 'ours' });

export function isMet({ ours, ratio }: Figure, { most, of }: Goal): boolean {
  return (of === 'ours' ? ours : (ratio ?? Number.NaN)) <= most;
}
