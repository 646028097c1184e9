import type { IssuedActionToken } from './session.js';

/** What a link that signs a user in is asked for with. */
export interface LoginLinkRequest {
  readonly userId: string;
  /**
   * The `login` of the context of the step that asks: the link completes this login. Default: the link signs in the browser
   * that opens it.
   */
  readonly login?: string;
  /** Of a link without `login`: the client of the realm that it leads to. Default: none, and a page says that the user is signed in. */
  readonly clientId?: string;
  /** A redirect URI of this client, where the browser goes then, without a code: the application starts its own login, which asks nothing. Default: the client's base URL */
  readonly redirectUri?: string;
  /** Lifetime in seconds, at most 86,400. Default: the realm's `actionTokenGeneratedByUserLifespan` */
  readonly expiresIn?: number;
}

/** A link that signs a user in. */
export interface LoginLink extends Omit<IssuedActionToken, 'token'> {
  /**
   * Of a link with `login`: two digits for the page that waits. In another browser, the link shows three numbers, and the user
   * selects this one.
   */
  readonly number?: string;
}

export interface LoginLinks {
  /**
   * A link that signs a user in, for you to send to that user. It follows the rules of the links that the host mails: opening it
   * changes nothing before a button is pressed, it works once, and only the newest one of a user works, as long as password and
   * address are the same. Without `login` it replaces the password: a second factor is still asked for. With `login` it belongs to the
   * step that asks, and proves nothing to any other step: the context of this step has `followedLink` once the user has followed it
   * in the same browser. In any other browser, the user must select the login's `number` first. A wrong number ends the link.
   * Needs `issue-login-links`, and for administrators `manage-admins`.
   * @throws HostError `plugin_not_granted` (500), `user_not_found` (404), `invalid_argument` (500) for a `login` that is not that of
   *   the step, an unknown client, or an address that is no redirect URI of the client
   */
  issue(request: LoginLinkRequest): Promise<LoginLink>;
}
