/** The method by which a provider closes resources that it opened for the session. */
export interface Closeable {
  /** Called when the session ends. */
  close?(): void | Promise<void>;
}

/** The result of a run of background work. */
export interface BackgroundRun {
  /**
   * Seconds until the next run, 0 or more. Without it, the next run follows a change of the realm or the plugin, or
   * `wake`.
   */
  readonly again?: number;
}

/** The method of a provider that declares `background`, for work outside of requests. */
export interface BackgroundWork {
  /**
   * Called by the host in each realm that enables the provider: after the host has started, after each change of the
   * realm or the plugin, after `session.background.wake`, and after `again` seconds. One call runs at a time for each
   * realm, node and part, in a session without a caller. The limits of every call apply: a run is aborted after 30
   * seconds. After an error it is retried with growing pauses of up to 5 minutes.
   * @param part the part that was woken; undefined for all of the work
   */
  background?(part?: string): Promise<BackgroundRun | undefined>;
}
