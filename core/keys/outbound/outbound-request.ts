import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { traceHeaders } from '../../model/tracing.js';

/** Addresses that are not public hosts: IANA's special-purpose registries (RFC 6890). */
const PRIVATE = new BlockList();
for (const [prefix, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Former 6to4 relays (RFC 7526).
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE.addSubnet(prefix, bits, 'ipv4');
}
// Within global unicast. 2001 and 2002 contain an embedded IPv4 address (Teredo, 6to4).
for (const [prefix, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  // Documentation (RFC 9637).
  ['3fff::', 20],
] as const) {
  PRIVATE.addSubnet(prefix, bits, 'ipv6');
}

/**
 * The global unicast addresses; IANA has assigned no others. So every IPv6 form of an IPv4 address outside of them is
 * private: `::/96`, `::ffff:0:0:0/96`, `64:ff9b::/96` and so on.
 */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
/** `::ffff:a.b.c.d` means a.b.c.d, for `BlockList` as for sockets. */
const IPV4 = new BlockList();
IPV4.addSubnet('0.0.0.0', 0, 'ipv4');

/** True for loopback, private, link-local and other addresses that are not on the public internet. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return PRIVATE.check(bare, 'ipv4');
  return PRIVATE.check(bare, 'ipv6') || !(GLOBAL.check(bare, 'ipv6') || IPV4.check(bare, 'ipv6'));
}

export interface OutboundOptions {
  readonly signal: AbortSignal;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
  /** Networks that it may connect to in addition to public addresses. */
  readonly privateNetworks: PrivateNetworks;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a GET to a URL that a realm or client names, under the rules of `outboundMessage`. */
export function outboundGet(address: string, options: OutboundOptions): Promise<Response> {
  return outboundRequest(address, options);
}

/** POSTs a form to a URL that a client names, under the rules of `outboundMessage`. */
export function outboundPost(address: string, form: URLSearchParams, options: OutboundOptions): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
  return outboundRequest(address, { ...options, headers }, form.toString());
}

/** @param body sent by POST; undefined: the request is a GET */
async function outboundRequest(address: string, options: OutboundOptions, body?: string): Promise<Response> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { accept: 'application/json', ...options.headers };
  return readBody(await outboundMessage(address, { ...options, method, headers, body }), options.maxBytes);
}

/**
 * Sends the host's request to a URL that a realm or client names. Only http and https; redirects are returned, not
 * followed. It connects only to public addresses and those that the operator named. Names are checked by the addresses
 * they resolve to at connect time, so DNS rebinding has no effect.
 * @param options.isPlainForPrivate allows http only to private addresses that the operator named
 * @returns the response, with its body unread
 * @throws RefusedAddress, or another Error with a readable message; the caller decides what it means
 */
export function outboundMessage(
  address: string,
  {
    headers,
    body,
    privateNetworks,
    isPlainForPrivate = false,
    ...options
  }: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array | undefined;
    readonly signal: AbortSignal;
    readonly privateNetworks: PrivateNetworks;
    readonly isPlainForPrivate?: boolean;
  },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new RefusedAddress(`${url.protocol} is not http or https`);
    const judge: AddressCheck = (found, name) => {
      if (isPrivateAddress(found)) return privateNetworks.allow(found) ? undefined : privateAddress(name);
      if (url.protocol === 'https:' || !isPlainForPrivate) return undefined;
      return new RefusedAddress(`${name} is a public address: it requires https`);
    };
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const refused = isIP(host) === 0 ? undefined : judge(host, host);
    if (refused !== undefined) throw refused;
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    request(
      url,
      {
        ...options,
        agent: false,
        headers: { ...traceHeaders(), ...headers },
        lookup: (name, how, callback) => checkedLookup(judge, name, how, callback),
      },
      resolve,
    )
      .on('error', reject)
      // Closed without an error, also if the server switches protocols (101), which is not supported.
      .on('close', () => reject(new Error('the connection ended before an HTTP response')))
      .end(body);
  });
}

/**
 * Resolves a host that a realm names, for connections other than HTTP: to a public address, or one that the operator
 * named. Connect to this address instead of the name, which may resolve differently a moment later.
 * @throws Error with a readable message
 */
export function outboundAddress(host: string, privateNetworks: PrivateNetworks): Promise<string> {
  const judge: AddressCheck = (found, name) =>
    isPrivateAddress(found) && !privateNetworks.allow(found) ? privateAddress(name) : undefined;
  if (isIP(host) !== 0) {
    const refused = judge(host, host);
    return refused === undefined ? Promise.resolve(host) : Promise.reject(refused);
  }
  return new Promise((resolve, reject) =>
    checkedLookup(judge, host, {}, (error, address) => (error === null ? resolve(String(address)) : reject(error))),
  );
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const status = response.statusCode ?? 0;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status });
}

/** The reason why a resolved address is refused; undefined if it is allowed. */
type AddressCheck = (address: string, name: string) => RefusedAddress | undefined;

/** An address that the operator does not allow. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
}

/** Like `dns.lookup`, but fails if any of the addresses is refused. */
function checkedLookup(
  judge: AddressCheck,
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
): void {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.map(({ address }) => judge(address, hostname)).find((one) => one !== undefined);
    const [first] = addresses ?? [];
    if (error !== null) callback(error, []);
    else if (refused !== undefined) callback(refused, []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  });
}

function privateAddress(host: string): RefusedAddress {
  return new RefusedAddress(`${host} is not a public address: allow its network in --outbound-private-networks`);
}
