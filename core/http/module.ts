import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import { Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { list, token } from '../di/token.js';
import { Realms } from '../realms/realms.js';
import { Events } from '../registry/events/events.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { createApp } from './app.js';
import type { ErrorPage as ErrorPageOf } from './errors.js';
import type { Endpoint } from './exchange.js';
import { separateAdminHost } from './host-header.js';
import { type Mount, realmDispatch } from './realm-dispatch.js';
import { realmResources } from './realm-resources.js';
import { RequestDurations } from './request-durations.js';
import { RequestEvents } from './request-events.js';

/** Endpoints at fixed paths below `/realms/{realm}`. */
export const Endpoints = list<Endpoint>('Endpoints');
/** Handlers for everything below a path of `/realms/{realm}`. */
export const Mounts = list<Mount>('Mounts');
/** Middleware for paths outside of realms, in order. */
export const RootMiddleware = list<Middleware>('BesideRealms');
/** Writes an error page for browsers. */
export const ErrorPage = token<ErrorPageOf>('ErrorPage');
/** Called for every answered request. */
export const OnAnswered = token<(ctx: Context, milliseconds: number) => void>('OnAnswered');
export const Application = token<Koa>('Application');

export const http = module('http', [
  adds(Mounts, (use) => [{ basePath: '', handle: realmResources(use(SessionFactory)) }]),
  service(RequestDurations, () => new RequestDurations()),
  service(RequestEvents, (use) => new RequestEvents({ events: use(Events), sessions: use(SessionFactory) })),
  service(Application, (use) => {
    const { httpRelativePath, hostname, hostnameAdmin, proxyHeaders } = use(Options);
    return createApp({
      relativePath: httpRelativePath,
      // The path of the public URL, without trailing slash.
      publicPath: hostname && new URL(hostname).pathname.replace(/\/$/, ''),
      https: hostname?.startsWith('https:') ?? false,
      has: hostnameAdmin === undefined ? undefined : separateAdminHost(hostnameAdmin),
      logger: use(Log),
      registry: use(ProviderRegistry),
      onAnswered: use(OnAnswered),
      errorPage: use(ErrorPage),
      middleware: [
        realmDispatch({
          realms: use(Realms),
          endpoints: use.all(Endpoints),
          mounts: use.all(Mounts),
          proxyHeaders,
        }),
        ...use.all(RootMiddleware),
      ],
    });
  }),
]);
