import type { RealmClient } from '../realm-client.js';
import type { TestHost } from '../start-host.js';

/**
 * The host, realm and user of an exercise. An exercise runs in several realms, for different users, at the same time.
 */
export interface Place {
  readonly host: TestHost;
  readonly realm: RealmClient;
  /** A user of the realm; the password is the username. */
  readonly username: string;
}
