import type { Context } from 'koa';
import type { Realm } from '../model/realm.js';
import type { Generation } from '../registry/generations/generation.js';
import type { Caller } from '../registry/sessions/session.js';

declare module 'koa' {
  interface ExtendableContext {
    /** The providers that this request began with, leased for its length. */
    providers: Generation;
    /** The pattern of the path that serves, such as `/realms/{realm}/protocol/openid-connect/token`; there are few of them. */
    route?: string;
    /** True at an endpoint of the login, where browsers navigate to and programs do not. */
    leadsBrowsers?: boolean;
    /** See `atEnd`. */
    ends?: () => Promise<void>;
  }
}

/** One request below `/realms/{realm}`: what every endpoint gets. */
export interface Exchange {
  readonly ctx: Context;
  readonly realm: Realm;
  /** The caller's address: the socket's, or the proxy's word where `--proxy-headers` trusts it. */
  readonly ip: string;
  /** True over https, at this host or at the trusted proxy. */
  readonly secure: boolean;
}

/** Who is behind the request, for sessions and the token endpoint. */
export function callerOf({ ctx, ip, secure }: Exchange): Caller {
  const { req, providers } = ctx;
  return { ip, secure, authorization: req.headers.authorization, headers: () => req.headersDistinct, providers };
}

/** Has something done when the endpoint has returned or thrown, before the answer goes out: what throws there is the answer. */
export function atEnd({ ctx }: Exchange, work: () => Promise<void>): void {
  const { ends: before } = ctx;
  ctx.ends =
    before === undefined
      ? work
      : async () => {
          await before();
          await work();
        };
}

export type Handler = (exchange: Exchange) => Promise<void> | void;

/** An endpoint at a fixed path below `/realms/{realm}`, and how it answers cross-origin requests. */
export interface Endpoint {
  /** Such as `/protocol/openid-connect/token`; empty for the realm itself. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>>;
  /** `any`: public data; `client`: origins of the client of the request; `none`: no CORS headers at all. */
  readonly cors: 'any' | 'client' | 'none';
  /** True where a disabled realm still answers. */
  readonly evenDisabled?: boolean;
  /** True for an endpoint that reports a disabled realm or missing TLS itself, on a page. */
  readonly ownChecks?: boolean;
  /** What HEAD does. Default: GET without its body; `nothing`: 200 without running anything. */
  readonly head?: 'nothing';
}
