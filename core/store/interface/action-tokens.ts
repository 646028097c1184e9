export interface ActionTokenKey {
  readonly realm: string;
  readonly userId: string;
  /** The token's `jti`. */
  readonly id: string;
}

/** The data of an action token that was issued, without the token itself. */
export interface ActionTokenRecord extends ActionTokenKey {
  readonly type: string;
  readonly clientId?: string;
  readonly issuedAt: number;
  /** The record may be swept after this time. */
  readonly expiresAt: number;
}

/** Selects action tokens of a realm. Times are in milliseconds since the epoch. */
export interface ActionTokenFilter {
  readonly now: number;
  readonly max: number;
  readonly type?: string | undefined;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
  /** The last token of the previous page. The list continues after it, even if tokens were added since. */
  readonly before?: { readonly issuedAt: number; readonly id: string } | undefined;
}

/** The outstanding action tokens, of realms that track them. They are deleted with their user. */
export interface ActionTokenStore {
  add(token: ActionTokenRecord): Promise<void>;
  /**
   * Deletes a token.
   * @returns false if there is none
   */
  remove(key: ActionTokenKey): Promise<boolean>;
  find(key: ActionTokenKey): Promise<ActionTokenRecord | undefined>;
  /** Returns a user's tokens that have not expired, newest first. */
  list(realm: string, userId: string, options: { now: number; max: number }): Promise<readonly ActionTokenRecord[]>;
  /**
   * Returns a realm's tokens that have not expired, newest first. An index selects those of the user, else of the
   * client, else of the type, else all; further filters are checked on each of these.
   */
  page(realm: string, filter: ActionTokenFilter): Promise<readonly ActionTokenRecord[]>;
}
