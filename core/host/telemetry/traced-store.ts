import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Store } from '../../store/store.js';

type Method = (...args: unknown[]) => unknown;

/** Wraps the store so that each of its calls becomes a span, such as `store sessions.find`. */
export function traceStore(tracer: Tracer, store: Store): Store {
  return traceMembers(tracer, store, '') as Store;
}

/** @param prefix the prefix of the span names */
function traceMembers(tracer: Tracer, part: object, prefix: string): object {
  const wrappers = new Map<PropertyKey, unknown>();
  return new Proxy(part, {
    get(target, name) {
      if (wrappers.has(name)) return wrappers.get(name);
      const value: unknown = Reflect.get(target, name, target);
      const wrapped = traceMember(tracer, target, value, `${prefix}${String(name)}`);
      wrappers.set(name, wrapped);
      return wrapped;
    },
  });
}

function traceMember(tracer: Tracer, part: object, value: unknown, name: string): unknown {
  if (typeof value === 'function') return traceMethod(tracer, value.bind(part) as Method, name);
  return typeof value === 'object' && value !== null ? traceMembers(tracer, value, `${name}.`) : value;
}

/** These methods have no span. All except `close` run a function of the caller, whose writes have their own spans. */
const METHODS_WITHOUT_SPAN: ReadonlySet<string> = new Set<keyof Store>([
  'withEvents',
  'withoutEvents',
  'fenced',
  'unfenced',
  'close',
]);

function traceMethod(tracer: Tracer, method: Method, name: string): Method {
  if (METHODS_WITHOUT_SPAN.has(name)) return method;
  const options = { kind: SpanKind.CLIENT, attributes: { 'db.operation.name': name } };
  return (...args) => {
    const span = tracer.startSpan(`store ${name}`, options);
    const endWithError = (error: unknown): never => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: String((error as { code?: unknown })?.code ?? 'failed') });
      span.end();
      throw error;
    };
    try {
      const answer = method(...args);
      if (!(answer instanceof Promise)) {
        span.end();
        return answer;
      }
      return answer.then((value) => {
        span.end();
        return value;
      }, endWithError);
    } catch (error) {
      return endWithError(error);
    }
  };
}
