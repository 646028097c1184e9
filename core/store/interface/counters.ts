export interface CounterStore {
  /** Adds one within a window that starts with the first bump; the window restarts once it is over. */
  bump(key: {
    realm: string;
    subject: string;
    now: number;
    windowMs: number;
  }): Promise<{ count: number; firstAt: number }>;
  get(key: { realm: string; subject: string; now: number }): Promise<{ count: number; firstAt: number } | undefined>;
  /** Takes one bump back: what was counted beforehand did not come about. */
  release(key: { realm: string; subject: string }): Promise<void>;
  clear(key: { realm: string; subject: string }): Promise<void>;
  /** Clears every counter whose subject begins so. */
  clearAll(some: { realm: string; prefix: string }): Promise<void>;
}
