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

/** Which action tokens are out, where a realm keeps account of them. They go with their user. */
export interface ActionTokenStore {
  add(token: ActionTokenRecord): Promise<void>;
  /** False when there is none. */
  remove(key: ActionTokenKey): Promise<boolean>;
  find(key: ActionTokenKey): Promise<ActionTokenRecord | undefined>;
  /** A user's, as far as they have not expired; newest first. */
  list(realm: string, userId: string, options: { now: number; max: number }): Promise<readonly ActionTokenRecord[]>;
}
