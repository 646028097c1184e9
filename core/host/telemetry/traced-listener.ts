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

const SERVED = createContextKey('what serves the request');
/** The endpoint of the request, once it is known: its path pattern, of which there are few. */
interface Served {
  route?: string | undefined;
}

const REALM = /^\/(?:admin\/)?realms\/([^/]+)/;

/** Makes each request a span, within the caller's trace if it names one. */
export function tracedListener(
  { tracer, meter }: { tracer: Tracer; meter: Meter },
  relativePath: string,
  listener: RequestListener,
): RequestListener {
  // Name and unit by OpenTelemetry's conventions for HTTP metrics.
  const durations = meter.createHistogram('http.server.request.duration', { unit: 's' });
  return (request, response) => {
    const began = performance.now();
    const served: Served = {};
    const parent = propagation.extract(context.active(), request.headers).setValue(SERVED, served);
    const method = methodOf(request);
    const path = pathOf(request);
    const realm = REALM.exec(path.startsWith(relativePath) ? path.slice(relativePath.length) : '')?.[1];
    const attributes: Attributes = {
      'http.request.method': method,
      // Never the query: it contains codes, tokens and keys of links.
      'url.path': path,
      'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
      'network.protocol.version': request.httpVersion,
      ...(realm === undefined ? {} : { 'keyhost.realm': realm }),
    };
    tracer.startActiveSpan(method, { kind: SpanKind.SERVER, attributes }, parent, (span) => {
      response.once('close', () => {
        const { statusCode } = response;
        const { route } = served;
        const answered = {
          ...(route === undefined ? {} : { 'http.route': route }),
          'http.response.status_code': statusCode,
        };
        // Requests that no endpoint serves get no name of their own, because their paths are unlimited.
        if (route !== undefined) span.updateName(`${method} ${route}`);
        span.setAttributes(answered);
        durations.record((performance.now() - began) / 1000, { 'http.request.method': method, ...answered });
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        if (!response.writableFinished) span.addEvent('the client closed the connection');
        span.end();
      });
      return listener(request, response);
    });
  };
}

/** Call within each request when it is answered. */
export function recordRoute({ route }: Context): void {
  const served = context.active().getValue(SERVED) as Served | undefined;
  if (served !== undefined) served.route = route;
}

/** Limits the methods to known ones, because clients can send any. */
function methodOf({ method = '' }: IncomingMessage): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : '_OTHER';
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
