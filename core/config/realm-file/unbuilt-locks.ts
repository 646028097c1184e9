import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** A setting of Keycloak's by which a realm promises a protection that Keyhost does not give. */
interface UnbuiltLock {
  /** True for a value that promises something. */
  readonly on: (value: unknown) => boolean;
  /** What happens in place of what is promised. */
  readonly sentence: string;
}

const isOn = (value: unknown) => value === true || value === 'true';
/** Anything but the words for nothing. */
const isStated = (value: unknown) =>
  value !== undefined && value !== null && !['', '0', 'any', 'not required', 'none', 'false'].includes(String(value));
const isOften = (value: unknown) => Number(value) > 0;

const REQUEST_OBJECTS =
  'request objects are not supported: requests with one are rejected, requests without one are accepted';
const JARM = 'authorization responses are not JWTs: response_mode=jwt is rejected';
const ID_TOKENS = 'ID tokens are signed, but not encrypted: anyone who gets one can read it';
const USER_INFO = 'userinfo responses are not encrypted: they are JSON or signed JWTs';

/** Attributes of clients (Keycloak's OIDCConfigAttributes, and the like). */
const CLIENT_ATTRIBUTES: Readonly<Record<string, UnbuiltLock>> = {
  'dpop.bound.access.tokens': {
    on: isOn,
    sentence: 'tokens are not bound to a DPoP key: anyone who gets one can use it',
  },
  'tls.client.certificate.bound.access.tokens': {
    on: isOn,
    sentence: 'tokens are not bound to a client certificate: anyone who gets one can use it',
  },
  'request.object.required': { on: isStated, sentence: REQUEST_OBJECTS },
  'request.object.signature.alg': { on: isStated, sentence: REQUEST_OBJECTS },
  'request.object.encryption.alg': { on: isStated, sentence: REQUEST_OBJECTS },
  'request.object.encryption.enc': { on: isStated, sentence: REQUEST_OBJECTS },
  'authorization.signed.response.alg': { on: isStated, sentence: JARM },
  'authorization.encrypted.response.alg': { on: isStated, sentence: JARM },
  'authorization.encrypted.response.enc': { on: isStated, sentence: JARM },
  'id.token.encrypted.response.alg': { on: isStated, sentence: ID_TOKENS },
  'id.token.encrypted.response.enc': { on: isStated, sentence: ID_TOKENS },
  'id.token.as.detached.signature': {
    on: isOn,
    sentence: 'authorization responses contain no ID token as a detached signature',
  },
  'user.info.encrypted.response.alg': { on: isStated, sentence: USER_INFO },
  'user.info.encrypted.response.enc': { on: isStated, sentence: USER_INFO },
  'client.offline.session.idle.timeout': {
    on: isOften,
    sentence: "offline tokens of the client end with the realm's offlineSessionIdleTimeout",
  },
  'client.offline.session.max.lifespan': {
    on: isOften,
    sentence: "offline tokens of the client end with the realm's offlineSessionMaxLifespan",
  },
  'backchannel.logout.revoke.offline.tokens': {
    on: isOn,
    sentence: 'logout tokens do not tell the application to revoke its offline tokens',
  },
  'logout.confirmation.enabled': {
    on: isOn,
    sentence: 'a logout with an id_token_hint is not confirmed by the user',
  },
};

/** Keys of the realm itself. */
const REALM_KEYS: Readonly<Record<string, UnbuiltLock>> = {
  clientOfflineSessionIdleTimeout: {
    on: isOften,
    sentence: "offline tokens end with the session's offlineSessionIdleTimeout",
  },
  clientOfflineSessionMaxLifespan: {
    on: isOften,
    sentence: "offline tokens end with the session's offlineSessionMaxLifespan",
  },
};

/** Members of an identity provider's `config`. */
const PROVIDER_CONFIG: Readonly<Record<string, UnbuiltLock>> = {
  filteredByClaim: { on: isOn, sentence: 'claimFilterName and claimFilterValue do not restrict logins' },
};

/** The names of all of them: files are read again once one is built, or found. */
export const UNBUILT_LOCKS: readonly string[] = [CLIENT_ATTRIBUTES, REALM_KEYS, PROVIDER_CONFIG].flatMap(Object.keys);

/**
 * What a realm promises that Keyhost does not do. Production refuses it, since somebody relies on it; elsewhere it is told.
 */
export function brokenPromises(realm: RealmRepresentation): SchemaProblem[] {
  const found: SchemaProblem[] = [];
  const look = (
    locks: Readonly<Record<string, UnbuiltLock>>,
    values: Readonly<Record<string, unknown>>,
    path: SchemaProblem['path'],
    owner: string,
  ) => {
    for (const [name, value] of Object.entries(values)) {
      const lock = Object.hasOwn(locks, name) ? locks[name] : undefined;
      if (lock?.on(value) !== true) continue;
      found.push({ path: [...path, name], message: `is not supported, but ${owner} relies on it: ${lock.sentence}` });
    }
  };
  look(REALM_KEYS, realm, [], 'the realm');
  for (const [index, { clientId, attributes = {} }] of (realm.clients ?? []).entries()) {
    look(CLIENT_ATTRIBUTES, attributes, ['clients', index, 'attributes'], `client ${clientId}`);
  }
  for (const [index, { alias, config = {} }] of (realm.identityProviders ?? []).entries()) {
    look(PROVIDER_CONFIG, config, ['identityProviders', index, 'config'], `identity provider ${alias}`);
  }
  return found;
}

/** The same as sentences for the log. */
export function promiseSentences(realm: RealmRepresentation): string[] {
  return brokenPromises(realm).map(({ path, message }) => `${path.at(-1)} ${message}`);
}

/** Sentences about what a change of a realm has added; @param before undefined for a new realm */
export function newPromises(before: RealmRepresentation | undefined, after: RealmRepresentation): string[] {
  const known = new Set(before === undefined ? [] : promiseSentences(before));
  return promiseSentences(after).filter((sentence) => !known.has(sentence));
}
