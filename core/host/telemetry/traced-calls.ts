import { context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { CallResult } from '../../registry/sessions/call-counts.js';
import type { ObserveCall } from '../../registry/sessions/provider-calls.js';

/** The results that do not mark the span as failed. A refusal is a normal result. */
const SUCCESSFUL_RESULTS: ReadonlySet<CallResult> = new Set<CallResult>(['ok', 'refused', 'stream']);

/** Makes each call of a provider a span with the plugin's name, such as `authenticator/acme-sms authenticate`. */
export function traceCalls(tracer: Tracer): ObserveCall {
  return ({ spi, id, plugin }, method, realm) => {
    const span = tracer.startSpan(`${spi.id}/${id} ${method}`, {
      kind: SpanKind.INTERNAL,
      attributes: {
        'keyhost.plugin': plugin.name,
        'keyhost.spi': spi.id,
        'keyhost.provider': id,
        'keyhost.realm': realm,
      },
    });
    return {
      run: (call) => context.with(trace.setSpan(context.active(), span), call),
      recordEnd: (end) => {
        span.setAttribute('keyhost.call.end', end);
        if (!SUCCESSFUL_RESULTS.has(end)) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
}
