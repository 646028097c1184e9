import type { Json } from '../json-schema.js';
import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import {
  CLIENT_POLICY_VERDICT,
  type ClientPolicyDeclaration,
  type ClientPolicyInput,
  checkClientPolicy,
} from './client-policy.js';
import { DESCRIBES } from './description.js';

/** The decision of an executor. Undefined or empty: the executor accepts the request. */
export interface ClientPolicyVerdict {
  /**
   * Refuses the request (400): an OAuth error code, and a sentence in ASCII without quotation marks and backslashes.
   */
  readonly refuse?: Readonly<{ error: string; description: string }>;
  /** Changes to a request that is not refused. */
  readonly effects?: ClientPolicyEffects;
  /** Values that are set on the client at `REGISTER` and `UPDATE`. Attributes are added to the existing ones. */
  readonly client?: Readonly<{
    enabled?: false;
    consentRequired?: true;
    fullScopeAllowed?: false;
    standardFlowEnabled?: false;
    implicitFlowEnabled?: false;
    directAccessGrantsEnabled?: false;
    frontchannelLogout?: false;
    clientAuthenticatorType?: string;
    attributes?: Readonly<Record<string, string>>;
  }>;
}

/** Changes to a request. `chooseFlow` is for `AUTHORIZATION_REQUEST`, and all others are for token requests. */
export interface ClientPolicyEffects {
  /** Expires the client's secret after this number of seconds, if it has no expiry yet. */
  readonly endSecret?: number;
  /** Issues lightweight access tokens. */
  readonly lighten?: true;
  /** Issues no refresh token. */
  readonly withholdRefreshToken?: true;
  /** Limits the client scopes of the tokens to these names. */
  readonly narrowScope?: readonly string[];
  /** The login uses this flow. `level`: the level of authentication that it reaches. */
  readonly chooseFlow?: Readonly<{ alias: string; level?: number }>;
}

/** Keycloak's ClientPolicyExecutorProvider: enforces a client policy. */
export interface ClientPolicyExecutorProvider<C = Readonly<Record<string, Json>>> {
  /**
   * Decides about a request. If it throws, exceeds its time limit, or returns an effect that the event does not allow,
   * the request is refused (503).
   */
  apply(input: ClientPolicyInput<C>): Promise<ClientPolicyVerdict | undefined>;
}

/**
 * An executor of the realm's `clientProfiles`, which name it by its ID.
 * @example
 * ```ts
 * import { ClientPolicyExecutor, provide } from '@keyhost/spi';
 *
 * export default provide(ClientPolicyExecutor, {
 *   id: 'no-offline-access',
 *   events: ['TOKEN_REQUEST'],
 *   open: () => ({
 *     create: () => ({
 *       apply: async ({ scope = '' }) =>
 *         scope.split(' ').includes('offline_access')
 *           ? { refuse: { error: 'invalid_scope', description: 'Offline access is not allowed' } }
 *           : undefined,
 *     }),
 *   }),
 * });
 * ```
 */
export const ClientPolicyExecutor = spi<ClientPolicyDeclaration, ClientPolicyExecutorProvider>({
  id: 'client-policy-executor',
  name: 'ClientPolicyExecutor',
  carries: 'nothing',
  declares: ['describe', 'settings', 'events'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'clientProfiles',
    *mentions({ clientProfiles }) {
      const { profiles } = (clientProfiles ?? {}) as Readonly<Record<string, unknown>>;
      for (const [index, { executors }] of entriesOf(profiles)) {
        for (const [position, { executor }] of entriesOf(executors)) {
          const path = ['clientProfiles', 'profiles', index, 'executors', position, 'executor'];
          yield { id: String(executor), path, enabled: true };
        }
      }
    },
    example: (id, settings) =>
      `"clientProfiles": { "profiles": [{ "name": "my-profile", "executors": [{ "executor": "${id}", "configuration": ${JSON.stringify(settings)} }] }] }`,
  },
  // The host runs its own executors without a call.
  reserved: [
    'auth-flow-enforcer',
    'confidential-client',
    'consent-required',
    'downscope-assertion-grant-enforcer',
    'full-scope-disabled',
    'jwt-claim-enforcer',
    'pkce-enforcer',
    'registration-access-token-rotation-disabled',
    'reject-implicit-grant',
    'reject-request',
    'reject-ropc-grant',
    'saml-avoid-redirect',
    'saml-secure-client-uris',
    'saml-signature-enforcer',
    'secret-rotation',
    'secure-par-content',
    'secure-client-authentication-assertion',
    'secure-client-authenticator',
    'secure-client-uris',
    'secure-client-uris-pattern',
    'secure-logout',
    'secure-redirect-uris-enforcer',
    'secure-response-type',
    'secure-session',
    'secure-signature-algorithm',
    'secure-signature-algorithm-signed-jwt',
    'suppress-refresh-token-rotation',
    'use-lightweight-access-token',
  ],
  methods: { required: ['apply'] },
  answers: { apply: CLIENT_POLICY_VERDICT },
  crosses: [{ maps: ['parameters'] }],
  check: checkClientPolicy,
});
