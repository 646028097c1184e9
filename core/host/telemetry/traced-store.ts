import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Store } from '../../store/store.js';

type Method = (...args: unknown[]) => unknown;

/** Makes every call of the store a span, such as `store sessions.find`. */
export function tracedStore(tracer: Tracer, store: Store): Store {
  return traced(tracer, store, '') as Store;
}

/** @param prefix of its methods' names */
function traced(tracer: Tracer, part: object, prefix: string): object {
  const made = new Map<PropertyKey, unknown>();
  return new Proxy(part, {
    get(target, name) {
      if (made.has(name)) return made.get(name);
      const value: unknown = Reflect.get(target, name, target);
      const wrapped = wrap(tracer, target, value, `${prefix}${String(name)}`);
      made.set(name, wrapped);
      return wrapped;
    },
  });
}

function wrap(tracer: Tracer, part: object, value: unknown, name: string): unknown {
  if (typeof value === 'function') return tracedMethod(tracer, value.bind(part) as Method, name);
  return typeof value === 'object' && value !== null ? traced(tracer, value, `${name}.`) : value;
}

/** These run work of the caller, whose writes have spans of their own. */
const NO_SPAN = new Set(['recording', 'apart', 'fenced', 'unfenced', 'close']);

function tracedMethod(tracer: Tracer, method: Method, name: string): Method {
  if (NO_SPAN.has(name)) return method;
  const options = { kind: SpanKind.CLIENT, attributes: { 'db.operation.name': name } };
  return (...args) => {
    const span = tracer.startSpan(`store ${name}`, options);
    const failed = (error: unknown): never => {
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
      }, failed);
    } catch (error) {
      return failed(error);
    }
  };
}
