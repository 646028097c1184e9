import type { IncomingMessage, RequestListener } from 'node:http';
import {
  type Attributes,
  context,
  createContextKey,
  type Meter,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import type { Context } from 'koa';

const ROUTE_KEY = createContextKey('what serves the request');
/** Carries the path pattern of the endpoint from the answered request to its span. There are few patterns. */
interface RouteHolder {
  route?: string | undefined;
}

const REALM_PATH = /^\/(?:admin\/)?realms\/([^/]+)/;

/** Makes each request a span, within the caller's trace if it sends one. */
export function traceListener(
  { tracer, meter }: { tracer: Tracer; meter: Meter },
  relativePath: string,
  listener: RequestListener,
): RequestListener {
  // The name and the unit follow OpenTelemetry's conventions for HTTP metrics.
  const durations = meter.createHistogram('http.server.request.duration', { unit: 's' });
  return (request, response) => {
    const startedAt = performance.now();
    const routeHolder: RouteHolder = {};
    const parent = propagation.extract(context.active(), request.headers).setValue(ROUTE_KEY, routeHolder);
    const method = methodOf(request);
    const path = pathOf(request);
    const realm = REALM_PATH.exec(path.startsWith(relativePath) ? path.slice(relativePath.length) : '')?.[1];
    const attributes: Attributes = {
      'http.request.method': method,
      // Never export the query, because it contains codes, tokens and keys of links.
      'url.path': path,
      'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
      'network.protocol.version': request.httpVersion,
      ...(realm === undefined ? {} : { 'keyhost.realm': realm }),
    };
    tracer.startActiveSpan(method, { kind: SpanKind.SERVER, attributes }, parent, (span) => {
      response.once('close', () => {
        const { statusCode } = response;
        const { route } = routeHolder;
        const responseAttributes = {
          ...(route === undefined ? {} : { 'http.route': route }),
          'http.response.status_code': statusCode,
        };
        // A request that no endpoint serves is not named by its path, because the number of paths is unlimited.
        if (route !== undefined) span.updateName(`${method} ${route}`);
        span.setAttributes(responseAttributes);
        durations.record((performance.now() - startedAt) / 1000, {
          'http.request.method': method,
          ...responseAttributes,
        });
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        if (!response.writableFinished) span.addEvent('the client closed the connection');
        span.end();
      });
      return listener(request, response);
    });
  };
}

/** Records the route of a request for its span. Call it in the request's async context when the request is answered. */
export function recordRoute({ route }: Context): void {
  const routeHolder = context.active().getValue(ROUTE_KEY) as RouteHolder | undefined;
  if (routeHolder !== undefined) routeHolder.route = route;
}

/** Returns the request's method, or `_OTHER` for an unknown one, because clients can send any text. */
function methodOf({ method = '' }: IncomingMessage): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : '_OTHER';
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
