import { type KeyObject, X509Certificate } from 'node:crypto';
import * as jose from 'jose';
import { decodeDer, readPublicKey } from '../model/armour.js';
import type { ClientKeySource } from '../model/client-signing.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import { recentEntries } from '../model/recent-entries.js';
import { remoteKeySet } from './outbound/remote-key-set.js';

const COOL_DOWN_MS = 30_000;

/** Finds the public key for a client's assertion by its JOSE header. Rejects if there is none. */
export type ClientKeyLookup = (header: jose.CompactJWSHeaderParameters) => Promise<jose.CryptoKey | KeyObject>;

/**
 * The public keys of clients. The parsed keys of at most 1000 clients are cached. A remote set is fetched at first use
 * and again after ten minutes. If it lacks the requested key, it is fetched earlier, but at most every 30 seconds.
 */
export class ClientKeys {
  readonly #privateNetworks: PrivateNetworks;
  readonly #lookups = recentEntries<string, ClientKeyLookup>(1000);

  constructor(options: { readonly privateNetworks: PrivateNetworks }) {
    this.#privateNetworks = options.privateNetworks;
  }

  /**
   * Returns the lookup of a client's keys. Certificates and keys are base64 DER, with or without PEM armour.
   * @param cachePrefix prefix for the cache key of fetched keys
   * @throws Error if the value is not a key
   */
  lookup({ kind, value }: ClientKeySource, cachePrefix = ''): ClientKeyLookup {
    const id = kind === 'url' ? `${kind} ${cachePrefix} ${value}` : `${kind} ${value}`;
    const cached = this.#lookups.get(id);
    if (cached !== undefined) return cached;
    const created = kind === 'url' ? this.#remote(value) : LOCAL_LOOKUPS[kind](value);
    this.#lookups.set(id, created);
    return created;
  }

  #remote(url: string): ClientKeyLookup {
    return remoteKeySet(url, { coolDownMs: COOL_DOWN_MS, privateNetworks: this.#privateNetworks });
  }
}

function lookupInJwks(text: string): ClientKeyLookup {
  return jose.createLocalJWKSet(JSON.parse(text) as jose.JSONWebKeySet);
}

function lookupByCertificate(text: string): ClientKeyLookup {
  const { publicKey } = new X509Certificate(decodeDer(text));
  return async () => publicKey;
}

function lookupByPublicKey(text: string): ClientKeyLookup {
  const publicKey = readPublicKey(text);
  return async () => publicKey;
}

/** Lookups of keys that the client's attributes contain. */
const LOCAL_LOOKUPS = { jwks: lookupInJwks, certificate: lookupByCertificate, key: lookupByPublicKey } as const;
