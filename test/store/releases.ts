/** A released version, and its newest migration. */
export interface Release {
  readonly version: string;
  /** The commit that the release was built from. */
  readonly commit: string;
  readonly schema: number;
}

/** Oldest first. Add each release here. */
export const RELEASES: readonly Release[] = [{ version: '0.1.0', commit: '8a036c5', schema: 10 }];

export const LAST_RELEASE = RELEASES.at(-1) as Release;
