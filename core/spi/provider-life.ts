/** A provider may close what it opened for the session. */
export interface Closeable {
  close?(): void | Promise<void>;
}

/** How a run of background work ended. */
export interface BackgroundRun {
  /** Seconds until the next run, 0 or more. Without it, the next run is after a change of the realm or the plugin, or after `wake`. */
  readonly again?: number;
}

/** A provider that declares `background` can work outside of requests. */
export interface BackgroundWork {
  /**
   * Called by the host in each realm where the provider is on: once the host has started, whenever the realm or the plugin
   * changes, when `session.background.wake` asks for it, and when the last run said so. One call at a time in a realm, node
   * and part, in a session without a caller, held to the limits of every call: a run of 30 seconds is ended. After a throw it
   * runs again, later each time, up to 5 minutes.
   * @param part the one that was woken; undefined: the whole
   */
  background?(part?: string): Promise<BackgroundRun | undefined>;
}
