/** A realm of a host that is tried out. Addresses are whole ones. */
export interface WelcomeRealm {
  readonly name: string;
  readonly displayName: string;
  readonly account: string;
  /** The realm's OpenID Provider configuration. */
  readonly discovery: string;
  readonly applications: readonly { readonly name: string; readonly url: string }[];
  /** Users with the passwords that their realm file gave them; empty for whoever asks from another machine. */
  readonly users: readonly { readonly username: string; readonly password: string }[];
}

/** What `/` tells of a host that is tried out. */
export interface Welcome {
  readonly version: string;
  readonly realms: readonly WelcomeRealm[];
  /** How many realms there are besides those listed. */
  readonly moreRealms: number;
  /** The console. */
  readonly desk: string;
  /** `keyhost console` signs in to it on this machine. */
  readonly hasConsole: boolean;
  /** The Admin REST API. */
  readonly admin: string;
  readonly openapi: string;
  readonly health: string;
}
