import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { unescapeHtml, type Visit } from './form-browser.js';

/** A virtual authenticator in the browser that approves everything. */
export interface VirtualAuthenticator {
  readonly session: CDPSession;
  readonly id: string;
}

/** Adds an authenticator to the page (Chrome DevTools Protocol, WebAuthn domain). */
export async function addAuthenticator(
  context: BrowserContext,
  page: Page,
  options: Record<string, unknown> = {},
): Promise<VirtualAuthenticator> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  });
  return { session, id };
}

interface Made {
  /** Members of a hand-made answer, any of which may be wrong. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** User present and verified by default. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly type?: string;
  readonly format?: string;
}

const PRESENT_AND_VERIFIED = 0x05;
const ATTESTED = 0x40;

/** A hand-made authenticator with one ES256 credential, whose answers a test can falsify. */
export class HandMade {
  readonly id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #cose: Buffer;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** As Keycloak stores it. */
  stored(type: string, counter = 0): { type: string; id: string; secretData: string; credentialData: string } {
    const data = {
      aaguid: '00000000-0000-0000-0000-000000000000',
      credentialId: this.id.toString('base64'),
      counter,
      credentialPublicKey: this.#cose.toString('base64url'),
      attestationStatementFormat: 'none',
      transports: [],
    };
    const id = `c4ed0000-0000-4000-8000-${this.id.toString('hex').slice(0, 12)}`;
    return { type, id, secretData: '{}', credentialData: JSON.stringify(data) };
  }

  /** The JSON text of an AuthenticationResponseJSON that answers the page. */
  assertion(page: Visit, made: Made = {}): string {
    const options = optionsOf(page);
    const clientData = this.#clientData('webauthn.get', options.challenge, page, made);
    const authData = this.#authData(options.rpId ?? '', made);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
      ...(made.userHandle === undefined ? {} : { userHandle: Buffer.from(made.userHandle).toString('base64url') }),
    });
  }

  /** The JSON text of a RegistrationResponseJSON without attestation that answers the page. */
  attestation(page: Visit, made: Made = {}): string {
    const options = optionsOf(page);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.#cose]);
    const flags = (made.flags ?? PRESENT_AND_VERIFIED) | ATTESTED;
    const authData = Buffer.concat([this.#authData(options.rp?.id ?? '', { ...made, flags }), attested]);
    const length = Buffer.from([0x58, authData.length]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, page, made).toString('base64url'),
      attestationObject: Buffer.concat([
        // {"fmt": "none", "attStmt": {}, "authData": …}
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        length,
        authData,
      ]).toString('base64url'),
    });
  }

  #answer(response: Record<string, string>): string {
    const id = this.id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #clientData(type: string, challenge: string, page: Visit, made: Made): Buffer {
    const { origin } = new URL(page.url);
    const right = { type, challenge, origin, crossOrigin: false };
    const { challenge: other = challenge, origin: elsewhere = origin, crossOrigin = false, type: kind = type } = made;
    return Buffer.from(JSON.stringify({ ...right, type: kind, challenge: other, origin: elsewhere, crossOrigin }));
  }

  #authData(rpId: string, { rpId: other = rpId, flags = PRESENT_AND_VERIFIED, counter = 0 }: Made): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(other).digest(), Buffer.from([flags]), count]);
  }
}

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly [member: string]: unknown;
}

/** The options that the page passes to the browser. */
export function optionsOf(page: Visit): Options {
  const options = /data-options="([^"]*)"/.exec(page.text)?.[1];
  if (options === undefined) throw new Error(`the page asks for no passkey: ${page.text.slice(0, 300)}`);
  return JSON.parse(unescapeHtml(options)) as Options;
}
