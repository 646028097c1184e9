import { AES, INTERNAL_ALGORITHM } from '../../keys/algorithms.js';
import type { Client } from '../../model/client.js';
import { identityProvidersOf } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { Admin } from '../admin.js';

/** Maximum number of clients that are listed for an algorithm. */
const MAX_CLIENTS = 20;

/** The uses of the keys of an algorithm. */
interface KeyUse {
  readonly algorithm: string;
  /** Tokens of clients that choose no algorithm. */
  readonly isDefault: boolean;
  /** Data that only the realm reads: cookies, refresh tokens, links. */
  readonly isInternal: boolean;
  /** Clients that choose the algorithm. Empty for callers without `view-clients`. */
  readonly clients: { readonly id: string; readonly clientId: string; readonly uses: readonly string[] }[];
  /** The number of clients that are left out. */
  moreClients: number;
  /**
   * Aliases of identity providers at which the realm authenticates with the algorithm. Empty for callers without
   * `view-identity-providers`.
   */
  readonly identityProviders: string[];
  /** The number of identity providers that the caller may not view. */
  moreIdentityProviders: number;
  /** How long what a key has signed stays valid at most, in seconds. Absent if nothing signed has an end. */
  lifespan?: number;
  /** True if some of what a key has signed or encrypted has no end. */
  readonly isUnlimited: boolean;
}

/** Collects what the realm uses each algorithm for, as its settings and those of its clients are now. */
export function keyUses(realm: Realm, admin: Admin): KeyUse[] {
  const uses = new Map<string, KeyUse>();
  const useOf = (algorithm: string): KeyUse => {
    const isInternal = algorithm === INTERNAL_ALGORITHM || algorithm === AES;
    const use = uses.get(algorithm) ?? {
      algorithm,
      isDefault: algorithm === realm.defaultSignatureAlgorithm,
      isInternal,
      clients: [],
      moreClients: 0,
      identityProviders: [],
      moreIdentityProviders: 0,
      ...(algorithm === INTERNAL_ALGORITHM ? { lifespan: internalLifespan(realm) } : {}),
      // Stored tokens of identity providers have no end, nor have tokens of offline sessions without a limit.
      isUnlimited: isInternal && (algorithm === AES || realm.settings.offlineMax === undefined),
    };
    uses.set(algorithm, use);
    return use;
  };
  const mayListClients = admin.can(realm.name, 'view-clients');
  useOf(realm.defaultSignatureAlgorithm);
  useOf(INTERNAL_ALGORITHM);
  useOf(AES);
  for (const client of realm.clients.values()) {
    for (const [algorithm, names] of chosenAlgorithms(client)) {
      const { clients } = useOf(algorithm);
      if (mayListClients && clients.length < MAX_CLIENTS) {
        clients.push({ id: client.id, clientId: client.clientId, uses: names });
      } else useOf(algorithm).moreClients += 1;
    }
    const { accessTokenAlgorithm, idTokenAlgorithm } = client.settings;
    for (const algorithm of new Set([accessTokenAlgorithm, idTokenAlgorithm])) {
      const use = useOf(algorithm ?? realm.defaultSignatureAlgorithm);
      use.lifespan = Math.max(use.lifespan ?? 0, tokenLifespan(realm, client));
    }
  }
  const mayListProviders = admin.can(realm.name, 'view-identity-providers');
  for (const [alias, { assertionAlgorithm }] of identityProvidersOf(realm)) {
    if (assertionAlgorithm === undefined) continue;
    if (mayListProviders) useOf(assertionAlgorithm).identityProviders.push(alias);
    else useOf(assertionAlgorithm).moreIdentityProviders += 1;
  }
  return [...uses.values()];
}

/** The algorithms that a client chooses, with the tokens for which it does. */
function chosenAlgorithms({ settings }: Client): Map<string, string[]> {
  const chosen = new Map<string, string[]>();
  for (const [name, algorithm] of [
    ['access_token', settings.accessTokenAlgorithm],
    ['id_token', settings.idTokenAlgorithm],
    ['userinfo', settings.userinfoAlgorithm],
  ] as const) {
    if (algorithm !== undefined) chosen.set(algorithm, [...(chosen.get(algorithm) ?? []), name]);
  }
  return chosen;
}

/** The longest lifespan of a client's access and ID tokens, in seconds. */
function tokenLifespan(realm: Realm, client: Client): number {
  const lifespan = client.lifespans.accessToken || realm.lifespans.accessToken;
  return lifespan < 0 ? longestSession(realm) : lifespan;
}

/** The longest lifespan of cookies, refresh tokens and links by the realm's settings, in seconds. */
function internalLifespan(realm: Realm): number {
  const { actionTokenByAdmin, actionTokenByUser } = realm.lifespans;
  return Math.max(longestSession(realm), realm.settings.offlineMax ?? 0, actionTokenByAdmin, actionTokenByUser);
}

function longestSession({ lifespans, settings }: Realm): number {
  return Math.max(lifespans.ssoMax, settings.rememberMe ? settings.ssoMaxRememberMe : 0);
}
