/** A realm of a development host. All URLs are absolute. */
export interface WelcomeRealm {
  readonly name: string;
  readonly displayName: string;
  readonly account: string;
  /** URL of the realm's OpenID Connect discovery document. */
  readonly discovery: string;
  readonly applications: readonly { readonly name: string; readonly url: string }[];
  /** Users with the passwords of their realm file; empty for requests from another machine. */
  readonly users: readonly { readonly username: string; readonly password: string }[];
}

/** Data of the start page of a development host. */
export interface WelcomeData {
  readonly version: string;
  readonly realms: readonly WelcomeRealm[];
  /** Number of realms that are not listed. */
  readonly moreRealms: number;
  /** URL of the admin console. */
  readonly adminConsole: string;
  /** True if `keyhost console` can sign in to the admin console on this machine. */
  readonly hasConsole: boolean;
  /** Base URL of the Admin REST API. */
  readonly admin: string;
  readonly openapi: string;
  readonly health: string;
}
