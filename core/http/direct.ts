import type { IncomingMessage } from 'node:http';

/**
 * The machine's own names. A page of another site that resolves its name to this machine (DNS rebinding) sends another
 * `Host`.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1])(:\d+)?$/i;
/** Headers of proxies: the connection is then the proxy's, and says nothing about the sender. */
const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** True for a request that a program on this machine sends directly, under a name of this machine. */
export function isDirect({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (!isLoopback(socket.remoteAddress ?? '') || !LOOPBACK.test(headers.host ?? '')) return false;
  return OF_PROXIES.every((name) => headers[name] === undefined);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** True for a name or address of the loopback interface. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1';
}
