export interface ActionTokenKey {
  readonly realm: string;
  readonly userId: string;
  /** The token's `jti`. */
  readonly id: string;
}

/** An action token that was issued: all but the token. */
export interface ActionTokenRecord extends ActionTokenKey {
  readonly type: string;
  readonly clientId?: string;
  readonly issuedAt: number;
  /** After this it may be swept. */
  readonly expiresAt: number;
}

/** Which action tokens of a realm are asked for. Times are milliseconds. */
export interface ActionTokenFilter {
  readonly now: number;
  readonly max: number;
  readonly type?: string | undefined;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
  /** The last token of the previous page. The list continues after it, even if tokens were added since. */
  readonly before?: { readonly issuedAt: number; readonly id: string } | undefined;
}

/** Outstanding action tokens, for realms that track them. They are deleted with their user. */
export interface ActionTokenStore {
  add(token: ActionTokenRecord): Promise<void>;
  /** False when there is none. */
  remove(key: ActionTokenKey): Promise<boolean>;
  find(key: ActionTokenKey): Promise<ActionTokenRecord | undefined>;
  /** A user's, as far as they have not expired; newest first. */
  list(realm: string, userId: string, options: { now: number; max: number }): Promise<readonly ActionTokenRecord[]>;
  /**
   * A realm's tokens that have not expired; newest first. An index finds those of the user, else of the client, else of
   * the type, else all; further filters are checked on each of them.
   */
  page(realm: string, filter: ActionTokenFilter): Promise<readonly ActionTokenRecord[]>;
}
