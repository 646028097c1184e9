import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { BootError } from '../boot-error.js';

/** The interval at which certificate files are checked for changes, in milliseconds. */
const POLL_MS = 2_000;

export interface CertificatePaths {
  readonly certificate: string;
  readonly key: string;
  /** The file with the certificate authorities of the clients, for mutual TLS. */
  readonly clientCa?: string | undefined;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
}

/**
 * A certificate and its key from PEM files, which are read again when they change. If the new files are invalid, the
 * previous certificate stays in use.
 */
export class CertificateFiles {
  readonly #paths: CertificatePaths;
  readonly #logger: Logger;
  readonly #listeners = new Set<(certificate: Certificate) => void>();
  #current: Certificate;

  /**
   * @param options the names of the options with these paths, for the message
   * @throws BootError `listen_failed`
   */
  constructor(names: CertificatePaths, options: string, logger: Logger) {
    this.#paths = names;
    this.#logger = logger;
    try {
      this.#current = readCertificate(names);
    } catch (cause) {
      throw new BootError('listen_failed', `invalid certificate: ${messageOf(cause)}`, {
        hint: `check ${options}: both must be PEM files, and the key must belong to the certificate`,
        cause,
      });
    }
    for (const file of this.#files()) watchFile(file, { interval: POLL_MS, persistent: false }, this.#reload);
  }

  get current(): Certificate {
    return this.#current;
  }

  /** Registers a listener that is called with each new valid certificate. */
  onChanged(listener: (certificate: Certificate) => void): void {
    this.#listeners.add(listener);
  }

  close(): void {
    for (const file of this.#files()) unwatchFile(file, this.#reload);
    this.#listeners.clear();
  }

  #files(): string[] {
    const { certificate, key, clientCa } = this.#paths;
    return clientCa === undefined ? [certificate, key] : [certificate, key, clientCa];
  }

  readonly #reload = () => {
    try {
      this.#current = readCertificate(this.#paths);
    } catch (error) {
      this.#logger.error('new certificate is invalid, the previous one stays in use', { reason: String(error) });
      return;
    }
    for (const listener of this.#listeners) listener(this.#current);
    this.#logger.info('certificate reloaded', { file: this.#paths.certificate });
  };
}

/** @throws Error if a file cannot be read, or if key and certificate do not match */
function readCertificate({ certificate, key, clientCa }: CertificatePaths): Certificate {
  const found: Certificate = {
    cert: readFileSync(certificate),
    key: readFileSync(key),
    ...defined({ ca: clientCa === undefined ? undefined : readFileSync(clientCa) }),
  };
  createSecureContext(found);
  return found;
}
