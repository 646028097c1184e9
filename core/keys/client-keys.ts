import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as jose from 'jose';
import { LRUCache } from 'lru-cache';
import type { PrivateNetworks } from '../model/private-networks.js';
import { remoteKeySet } from './outbound/remote-key-set.js';

const COOL_DOWN_MS = 30_000;

type Attributes = Readonly<Record<string, string>>;

/** Finds the public key for a client's assertion by its JOSE header. Rejects when there is none. */
export type ClientKeyLookup = (header: jose.CompactJWSHeaderParameters) => Promise<jose.CryptoKey | KeyObject>;

/**
 * The public keys of clients, from Keycloak's client attributes. Parsed keys are held, at most 1000 clients' at a
 * time; a remote set is fetched when first needed, again after ten minutes, and earlier, but at most every 30 seconds,
 * when it lacks the key asked for.
 */
export class ClientKeys {
  readonly #privateNetworks: PrivateNetworks;
  readonly #held = new LRUCache<string, ClientKeyLookup>({ max: 1000 });

  constructor(options: { readonly privateNetworks: PrivateNetworks }) {
    this.#privateNetworks = options.privateNetworks;
  }

  /**
   * Undefined when the attributes name no key. In Keycloak's order: `use.jwks.url` with `jwks.url`,
   * `use.jwks.string` with `jwks.string`, `jwt.credential.certificate`, `jwt.credential.public.key` (both base64 DER,
   * with or without PEM armour).
   * @throws Error when what they hold is not a key
   */
  lookup(attributes: Attributes): ClientKeyLookup | undefined {
    const of = (name: string) => (attributes[name] === '' ? undefined : attributes[name]);
    if (of('use.jwks.url') === 'true') return this.#hold('url', of('jwks.url'), (url) => this.#remote(url));
    if (of('use.jwks.string') === 'true') return this.#hold('jwks', of('jwks.string'), localSet);
    return (
      this.#hold('certificate', of('jwt.credential.certificate'), ofCertificate) ??
      this.#hold('key', of('jwt.credential.public.key'), ofPublicKey)
    );
  }

  #hold(kind: string, value: string | undefined, make: (value: string) => ClientKeyLookup) {
    if (value === undefined) return undefined;
    const id = `${kind} ${value}`;
    const known = this.#held.get(id);
    if (known !== undefined) return known;
    const made = make(value);
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
  const publicKey = createPublicKey({ key: derOf(text), format: 'der', type: 'spki' });
  return async () => publicKey;
}

function derOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64');
}
