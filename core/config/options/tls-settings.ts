import { getCiphers, type SecureVersion } from 'node:tls';
import { didYouMean } from '../did-you-mean.js';

/** The options of Node's TLS servers. */
export interface TlsSettings {
  /** Cipher suites by OpenSSL's names, separated by colons. The first suite that the client supports is used. */
  readonly ciphers: string;
  readonly honorCipherOrder: true;
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
}

const PROTOCOLS = ['TLSv1.2', 'TLSv1.3'] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** Only suites with forward secrecy and authenticated encryption: no CBC, no RSA key exchange (RFC 9325 §4.2). */
const DEFAULT_SUITES = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/**
 * Reads `--https-cipher-suites` and `--https-protocols`. Suites have IANA's names, as in Keycloak, or OpenSSL's.
 * @param complain receives each name that this Node.js does not support, and each selected protocol without a selected
 * suite
 */
export function readTlsSettings(
  suites: string | undefined,
  protocols: string | undefined,
  complain: { suites(message: string): void; protocols(message: string): void },
): TlsSettings {
  const versions = readProtocols(protocols, complain.protocols);
  const selectedSuites = readSuites(suites, complain.suites);
  const usableProtocols = (versions ?? PROTOCOLS).filter((protocol) =>
    selectedSuites.some((suite) => protocolOf(suite) === protocol),
  );
  for (const protocol of versions ?? []) {
    if (!usableProtocols.includes(protocol))
      complain.protocols(`--https-cipher-suites has no cipher suite of ${protocol}`);
  }
  return {
    ciphers: selectedSuites.filter((suite) => usableProtocols.includes(protocolOf(suite))).join(':'),
    honorCipherOrder: true,
    minVersion: usableProtocols[0] ?? 'TLSv1.2',
    maxVersion: usableProtocols.at(-1) ?? 'TLSv1.3',
  };
}

function readProtocols(list: string | undefined, complain: (message: string) => void): Protocol[] | undefined {
  const names = splitNames(list);
  if (names.length === 0) return undefined;
  for (const name of names) {
    if (!PROTOCOLS.some((protocol) => protocol === name)) {
      complain(`must be one or both of ${PROTOCOLS.join(', ')}, not "${name}"`);
    }
  }
  return PROTOCOLS.filter((protocol) => names.includes(protocol));
}

function readSuites(list: string | undefined, complain: (message: string) => void): string[] {
  const names = splitNames(list);
  if (names.length === 0) return DEFAULT_SUITES;
  // Suites with a pre-shared secret cannot be used by a web server.
  const usable = getCiphers().filter((name) => !/psk|srp/.test(name));
  return names.flatMap((name) => {
    const suite = openSslName(name);
    if (usable.includes(suite.toLowerCase())) return [suite];
    const suggestion = didYouMean(suite, usable)?.toUpperCase();
    complain(`unknown cipher suite "${name}"${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`);
    return [];
  });
}

function splitNames(list = ''): string[] {
  return list
    .split(/[,:]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256`; the suites of TLS 1.3 have one name. */
function openSslName(name: string): string {
  const [, exchange, rest] = /^TLS_(\w+?)_WITH_(\w+)$/i.exec(name) ?? [];
  if (exchange === undefined || rest === undefined) return name.toUpperCase();
  const cipher = rest
    .toUpperCase()
    .replace(/^CHACHA20_POLY1305_SHA256$/, 'CHACHA20_POLY1305')
    .replace(/^AES_(\d+)_CBC_/, 'AES$1_')
    .replace(/^AES_(\d+)_/, 'AES$1_');
  const prefix = exchange.toUpperCase() === 'RSA' ? '' : `${exchange.toUpperCase()}_`;
  return `${prefix}${cipher}`.replaceAll('_', '-');
}

function protocolOf(suite: string): Protocol {
  return suite.startsWith('TLS_') ? 'TLSv1.3' : 'TLSv1.2';
}
