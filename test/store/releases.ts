/** A version that operators have, and the newest migration that it brought. */
export interface Release {
  readonly version: string;
  /** What it was made of. */
  readonly commit: string;
  readonly schema: number;
}

/** Oldest first. A release adds itself. */
export const RELEASES: readonly Release[] = [{ version: '0.1.0', commit: '8a036c5', schema: 10 }];

export const LAST_RELEASE = RELEASES.at(-1) as Release;
