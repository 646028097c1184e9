import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { HostSession } from '../../registry/sessions/host-session.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Token type identifiers (RFC 8693 §3). */
export const TOKEN_TYPE = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  refresh: 'urn:ietf:params:oauth:token-type:refresh_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
} as const;

/** A token exchange request. `form` includes an empty `subject_token`. */
export interface ExchangeRequest {
  readonly realm: Realm;
  readonly client: Client;
  readonly session: HostSession;
  readonly form: Readonly<Record<string, string>>;
  readonly audiences: readonly string[];
}
