export interface CounterStore {
  /** Adds one to a counter. Its window starts with the first call, and a new one starts when it is over. */
  bump(key: {
    realm: string;
    subject: string;
    now: number;
    windowMs: number;
  }): Promise<{ count: number; firstAt: number }>;
  get(key: { realm: string; subject: string; now: number }): Promise<{ count: number; firstAt: number } | undefined>;
  /** Takes one call of `bump` back, because the counted event did not happen. */
  release(key: { realm: string; subject: string }): Promise<void>;
  clear(key: { realm: string; subject: string }): Promise<void>;
  /** Deletes all counters whose subject begins with the prefix. */
  clearAll(some: { realm: string; prefix: string }): Promise<void>;
}
