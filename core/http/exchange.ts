import type { Context } from 'koa';
import type { Realm } from '../model/realm.js';
import type { Generation } from '../registry/generations/generation.js';
import type { Caller } from '../registry/sessions/caller.js';

declare module 'koa' {
  interface ExtendableContext {
    /** The providers at the start of this request, leased until its end. */
    providers: Generation;
    /**
     * The path pattern of the endpoint, such as `/realms/{realm}/protocol/openid-connect/token`. The number of patterns
     * is small, so metrics may use it.
     */
    route?: string;
    /** True at an endpoint of the login, which only browsers use. */
    isBrowserEndpoint?: boolean;
    /** See `onBeforeSend`. */
    beforeSend?: () => Promise<void>;
  }
}

/** A request below `/realms/{realm}`, as endpoints get it. */
export interface Exchange {
  readonly ctx: Context;
  readonly realm: Realm;
  /** The caller's IP address: the socket's, or the forwarded one if `--proxy-headers` trusts it. */
  readonly ip: string;
  /** True over https, at this host or at the trusted proxy. */
  readonly secure: boolean;
}

/** The caller of the request, as request sessions and the token endpoint need it. */
export function callerOf({ ctx, ip, secure }: Exchange): Caller {
  const { req, providers } = ctx;
  return { ip, secure, authorization: req.headers.authorization, headers: () => req.headersDistinct, providers };
}

/**
 * Registers work to run after the endpoint returns or throws and before the response is sent. An error that it throws
 * becomes the response.
 */
export function onBeforeSend({ ctx }: Exchange, work: () => Promise<void>): void {
  const { beforeSend: earlier } = ctx;
  ctx.beforeSend =
    earlier === undefined
      ? work
      : async () => {
          await earlier();
          await work();
        };
}

export type Handler = (exchange: Exchange) => Promise<void> | void;

/** An endpoint at a fixed path below `/realms/{realm}`. */
export interface Endpoint {
  /** For example `/protocol/openid-connect/token`; empty for the realm itself. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>>;
  /** CORS. `any`: public data; `client`: origins of the request's client; `none`: no CORS headers at all. */
  readonly cors: 'any' | 'client' | 'none';
  /** True if it also serves disabled realms. */
  readonly servesDisabledRealms?: boolean;
  /** True if the endpoint itself reports a disabled realm or missing TLS, on a page. */
  readonly skipsRealmChecks?: boolean;
  /** Handling of HEAD. Default: like GET, without the body; `nothing`: 200 without running anything. */
  readonly head?: 'nothing';
}
