import { type KeyObject, X509Certificate } from 'node:crypto';
import * as jose from 'jose';
import { derOf, readPublicKey } from '../model/armour.js';
import type { ClientKeySource } from '../model/client-signing.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import { recentEntries } from '../model/recent-entries.js';
import { remoteKeySet } from './outbound/remote-key-set.js';

const COOL_DOWN_MS = 30_000;

/** Finds the public key for a client's assertion by its JOSE header. Rejects if there is none. */
export type ClientKeyLookup = (header: jose.CompactJWSHeaderParameters) => Promise<jose.CryptoKey | KeyObject>;

/**
 * The public keys of clients. Parsed keys of at most 1000 clients are cached. A remote set is fetched at first use and
 * again after ten minutes. If it lacks the requested key, it is fetched earlier, but at most every 30 seconds.
 */
export class ClientKeys {
  readonly #privateNetworks: PrivateNetworks;
  readonly #held = recentEntries<string, ClientKeyLookup>(1000);

  constructor(options: { readonly privateNetworks: PrivateNetworks }) {
    this.#privateNetworks = options.privateNetworks;
  }

  /**
   * Certificates and keys are base64 DER, with or without PEM armour.
   * @param round prefix of the cache key of fetched keys
   * @throws Error if the value is not a key
   */
  lookup({ kind, value }: ClientKeySource, round = ''): ClientKeyLookup {
    const id = kind === 'url' ? `${kind} ${round} ${value}` : `${kind} ${value}`;
    const known = this.#held.get(id);
    if (known !== undefined) return known;
    const made = kind === 'url' ? this.#remote(value) : HELD[kind](value);
    this.#held.set(id, made);
    return made;
  }

  #remote(url: string): ClientKeyLookup {
    return remoteKeySet(url, { coolDownMs: COOL_DOWN_MS, privateNetworks: this.#privateNetworks });
  }
}

function localSet(text: string): ClientKeyLookup {
  return jose.createLocalJWKSet(JSON.parse(text) as jose.JSONWebKeySet);
}

function ofCertificate(text: string): ClientKeyLookup {
  const { publicKey } = new X509Certificate(derOf(text));
  return async () => publicKey;
}

function ofPublicKey(text: string): ClientKeyLookup {
  const publicKey = readPublicKey(text);
  return async () => publicKey;
}

/** Keys that are in the client's attributes. */
const HELD = { jwks: localSet, certificate: ofCertificate, key: ofPublicKey } as const;
