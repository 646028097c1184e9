import type { IncomingMessage, RequestListener } from 'node:http';
import {
  type Attributes,
  context,
  type Meter,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';

/** The host's own paths below a realm; others are resources of plugins, whose calls are spans with the plugin's name. */
const FIXED = /^\/(?:protocol|login-actions|\.well-known|account|device|clients-registrations|broker)(?:\/|$)/;
const REALM = /^\/realms\/([^/]+)(\/.*)?$/;
const ADMIN = /^\/admin\/realms(?:\/([^/]+)(\/.*)?)?$/;
/** What stands for itself in an address; anything else is the name of something. */
const WORD = /^[.a-z][a-z-]*$/;
const DEEPEST = 6;

/** Each request is a span of its own, or of the trace that its caller says it belongs to. */
export function tracedListener(
  { tracer, meter }: { tracer: Tracer; meter: Meter },
  relativePath: string,
  listener: RequestListener,
): RequestListener {
  // OpenTelemetry's conventions for HTTP metrics: their name and unit.
  const durations = meter.createHistogram('http.server.request.duration', { unit: 's' });
  return (request, response) => {
    const began = performance.now();
    const started = propagation.extract(context.active(), request.headers);
    const method = methodOf(request);
    const { route, realm } = routeOf(request, relativePath);
    const attributes: Attributes = {
      'http.request.method': method,
      'http.route': route,
      // Never the query: codes, tokens and keys of links stand there.
      'url.path': pathOf(request),
      'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
      'network.protocol.version': request.httpVersion,
      ...(realm === undefined ? {} : { 'keyhost.realm': realm }),
    };
    tracer.startActiveSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, started, (span) => {
      response.once('close', () => {
        const { statusCode } = response;
        span.setAttribute('http.response.status_code', statusCode);
        // Anybody can ask for anything: what is not there has no name of its own.
        const shown = statusCode === 404 ? '/*' : route;
        if (shown !== route) span.updateName(`${method} ${shown}`).setAttribute('http.route', shown);
        durations.record((performance.now() - began) / 1000, {
          'http.request.method': method,
          'http.route': shown,
          'http.response.status_code': statusCode,
        });
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        if (!response.writableFinished) span.addEvent('the client has gone');
        span.end();
      });
      return listener(request, response);
    });
  };
}

/** Anybody can send any word as a method. */
function methodOf({ method = '' }: IncomingMessage): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : '_OTHER';
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** The address without the names of realms and of things: there are few of them. */
export function routeOf(request: IncomingMessage, relativePath: string): { route: string; realm?: string } {
  const path = pathOf(request);
  if (!path.startsWith(relativePath)) return { route: '/*' };
  const below = path.slice(relativePath.length);
  const [, realm, rest = ''] = REALM.exec(below) ?? [];
  if (realm !== undefined) return { route: `/realms/{realm}${ofRealm(rest)}`, realm };
  const admin = ADMIN.exec(below);
  if (admin === null) return { route: below === '' || below === '/' ? '/' : '/*' };
  const [, name, operation = ''] = admin;
  return name === undefined
    ? { route: '/admin/realms' }
    : { route: `/admin/realms/{realm}${templated(operation)}`, realm: name };
}

function ofRealm(rest: string): string {
  if (rest === '' || rest === '/') return rest;
  return FIXED.test(rest) ? templated(rest) : '/{resource}/*';
}

function templated(path: string): string {
  const segments = path.split('/').slice(1);
  const shown = segments.slice(0, DEEPEST).map((segment) => (WORD.test(segment) ? segment : '{id}'));
  return `/${shown.join('/')}${segments.length > DEEPEST ? '/*' : ''}`;
}
