import type { Json } from '../json-schema.js';
import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import type { ClientView, UserView } from '../views.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { settingTexts } from './setting-texts.js';

/** The input of a mapper. */
export interface MapperInput {
  /** The mapper's own `config` in the realm file. */
  readonly config: Readonly<Record<string, string>>;
  readonly client: ClientView;
  /** The user of the token; undefined if it has none. */
  readonly user: UserView | undefined;
  /** Names of the user's effective realm roles that this token may contain. */
  readonly realmRoles: readonly string[];
  /** Names of the user's effective client roles that this token may contain, by `client_id`. */
  readonly clientRoles: Readonly<Record<string, readonly string[]>>;
  /** Paths of the user's groups, such as `/staff/dev`. */
  readonly groups: readonly string[];
  /** The names of these groups, in their order. A name can contain `/`. */
  readonly groupNames: readonly string[];
  /**
   * The attributes of these groups, in their order: for each group its own, then those of its parents, nearest first.
   */
  readonly groupAttributes: readonly (readonly Readonly<Record<string, readonly string[]>>[])[];
  /** The allowed web origins of the client, with `+` replaced by the origins of its redirect URIs. */
  readonly webOrigins: readonly string[];
  /** The user session of the token. */
  readonly session: Readonly<{
    /** Absent for a transient session. */
    id?: string;
    /** Seconds since the epoch. */
    authTime?: number;
    acr?: string;
    /** Authentication method references of the completed steps, such as `pwd` and `otp` (RFC 8176). */
    amr?: readonly string[];
    /** The `nonce` of the authorization request. */
    nonce?: string;
    /** The essential values that the login's `claims` parameter requested for the ID token, by claim name. */
    requestedValues?: Readonly<Record<string, Json>>;
    notes: Readonly<Record<string, string>>;
  }>;
}

/**
 * Claims to add, by claim name. A dot in the name nests (`address.street`), `\.` is a literal dot. The mapper's flags
 * select the tokens: `access.token.claim`, `id.token.claim`, `userinfo.token.claim`, `introspection.token.claim`,
 * `lightweight.claim`. The host adds the flags to the form of every mapper; without one of them, the claims are in no
 * token. Values that several mappers add to `aud` or to the same roles claim are merged.
 */
export type MappedClaims = Readonly<Record<string, Json | undefined>>;

/** The flags of a mapper whose claims go everywhere, as those of a new mapper in the admin console. */
const TOKEN_FLAGS = {
  'id.token.claim': 'true',
  'access.token.claim': 'true',
  'userinfo.token.claim': 'true',
  'introspection.token.claim': 'true',
};

/** Keycloak's ProtocolMapper: computes claims of tokens. */
export interface ProtocolMapperProvider {
  /** Returns the claims for a token. */
  map(input: MapperInput): MappedClaims | Promise<MappedClaims>;
}

/** The declaration of a mapper. */
export interface ProtocolMapperDeclaration extends Described {
  /** @deprecated Without effect: every mapper serves `openid-connect`. Version 2 of the SPI removes it. */
  readonly protocol?: string;
}

/**
 * Keycloak's ProtocolMapper: adds claims to tokens. The provider's ID is the `protocolMapper` of the realm file.
 * @example
 * ```ts
 * import { ProtocolMapper, provide } from '@keyhost/spi';
 *
 * export default provide(ProtocolMapper, {
 *   id: 'department-mapper',
 *   describe: { displayName: 'Department', helpText: 'Adds the claim department' },
 *   open: () => ({
 *     create: () => ({
 *       map: async ({ user }) => ({ department: user?.attributes.department?.[0] }),
 *     }),
 *   }),
 * });
 * ```
 */
export const ProtocolMapper = spi<ProtocolMapperDeclaration, ProtocolMapperProvider>({
  id: 'protocol-mapper',
  name: 'ProtocolMapper',
  // The host refuses claims that only it may set, and checks mappers that add administration roles to tokens.
  carries: 'nothing',
  declares: ['describe', 'settings', 'protocol'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'protocolMappers',
    *mentions(realm) {
      for (const holder of ['clients', 'clientScopes']) {
        for (const [index, { protocolMappers }] of entriesOf(realm[holder])) {
          for (const [position, { protocolMapper }] of entriesOf(protocolMappers)) {
            yield { id: String(protocolMapper), path: [holder, index, 'protocolMappers', position], enabled: true };
          }
        }
      }
    },
    example: (id, settings) =>
      `"protocolMappers": [{ "name": "${id}", "protocol": "openid-connect", "protocolMapper": "${id}", "config": ${JSON.stringify({ ...TOKEN_FLAGS, ...settingTexts(settings) })} }] of a client or client scope`,
  },
  methods: { required: ['map'] },
  check: checkDescribed,
  deprecated: { protocol: 'leave it out: every mapper serves openid-connect' },
});
