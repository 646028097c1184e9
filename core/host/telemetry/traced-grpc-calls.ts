import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { AroundGrpcCall } from '../../grpc/handled-call.js';

type Metadata = Parameters<AroundGrpcCall>[1];

const METADATA_GETTER: TextMapGetter<Metadata> = {
  keys: (metadata) => Object.keys(metadata.getMap()),
  get: (metadata, key) => metadata.get(key).map(String),
};
/** Codes that are errors of the server by OpenTelemetry's conventions for RPC. */
const SERVER_ERROR_CODES = new Set([
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);

/** Makes each gRPC call a span, within the caller's trace if it sends one. */
export function traceGrpcCalls(tracer: Tracer): AroundGrpcCall {
  return ({ path }, metadata) => {
    const [service = '', method = ''] = path.split('/').slice(1);
    const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
    const parent = propagation.extract(context.active(), metadata, METADATA_GETTER);
    const span = tracer.startSpan(`${service}/${method}`, { kind: SpanKind.SERVER, attributes }, parent);
    return {
      run: (work) => context.with(trace.setSpan(parent, span), work),
      recordEnd: ({ code, realm }) => {
        span.setAttribute('rpc.grpc.status_code', code);
        if (realm !== undefined) span.setAttribute('keyhost.realm', realm);
        if (SERVER_ERROR_CODES.has(code)) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
}
