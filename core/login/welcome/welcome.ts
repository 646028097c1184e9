/** A realm of a development host. All URLs are absolute. */
export interface WelcomeRealm {
  readonly name: string;
  readonly displayName: string;
  readonly account: string;
  /** The realm's OpenID Provider configuration. */
  readonly discovery: string;
  readonly applications: readonly { readonly name: string; readonly url: string }[];
  /** Users with the passwords of their realm file; empty for requests from another machine. */
  readonly users: readonly { readonly username: string; readonly password: string }[];
}

/** Data of the start page of a development host. */
export interface Welcome {
  readonly version: string;
  readonly realms: readonly WelcomeRealm[];
  /** Number of realms that are not listed. */
  readonly moreRealms: number;
  /** The admin console. */
  readonly adminConsole: string;
  /** `keyhost console` can sign in to it on this machine. */
  readonly hasConsole: boolean;
  /** The Admin REST API. */
  readonly admin: string;
  readonly openapi: string;
  readonly health: string;
}
