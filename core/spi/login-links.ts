import type { IssuedActionToken } from './session.js';

/** A request for a link that signs a user in. */
export interface LoginLinkRequest {
  /** The ID of the user to sign in. */
  readonly userId: string;
  /**
   * The `login` of the calling step's context: the link completes this login. Default: the link signs in the browser
   * that opens it.
   */
  readonly login?: string;
  /**
   * For a link without `login`: the client of the realm to which the link redirects. Default: none, and a page confirms
   * the sign-in.
   */
  readonly clientId?: string;
  /**
   * A redirect URI of this client, to which the browser is redirected without a code. The application then starts a
   * login, which requires no input. Default: the client's base URL
   */
  readonly redirectUri?: string;
  /** Lifetime in seconds, at most 86,400. Default: the realm's `actionTokenGeneratedByUserLifespan` */
  readonly expiresIn?: number;
}

/** A link that signs a user in. */
export interface LoginLink extends Omit<IssuedActionToken, 'token'> {
  /**
   * For a link with `login`: two digits for the waiting page to display. In another browser, the link shows three
   * numbers, and the user must select this one.
   */
  readonly number?: string;
}

/** Links that sign users in. */
export interface LoginLinks {
  /**
   * Issues a link that signs a user in; send it to that user only. As with the host's own links, opening it changes
   * nothing until a button is pressed. It works once, only the user's newest link works, and a new password or email
   * address invalidates it.
   *
   * Without `login` it replaces the password: a second factor is still required. With `login` it belongs to the calling
   * step, and proves nothing to any other step. The step gets `followedLink` once the user has opened the link in the
   * same browser. In another browser, the user must first select the login's `number`; a wrong number invalidates the
   * link.
   *
   * Needs `issue-login-links`, and for administrators `manage-admins`.
   * @throws HostError `plugin_not_granted` (500), `user_not_found` (404)
   * @throws HostError `invalid_argument` (500) for a `login` other than the step's, an unknown client, or a URI that is
   * not registered
   */
  issue(request: LoginLinkRequest): Promise<LoginLink>;
}
