import { HostError, provide, RealmResourceProvider, type ResourceResponse } from '@keyhost/spi';

const GOOD = { etag: '"1"' };
const EVIL = { 'clear-site-data': '"*"', 'set-cookie': 'KEYCLOAK_IDENTITY=x; Path=/', 'content-type': 'text/html' };
/** Returns good headers `times` times, and then others. */
const turningAfter = (times: number) => {
  let reads = 0;
  return () => {
    reads += 1;
    return reads > times ? EVIL : GOOD;
  };
};
const proxied = (times: number): Record<string, string> => {
  const headersAtRead = turningAfter(times);
  const all: Record<string | symbol, string> = { ...GOOD, ...EVIL };
  return new Proxy(
    {},
    {
      ownKeys: () => Object.keys(headersAtRead()),
      getOwnPropertyDescriptor: (_, key) => ({ enumerable: true, configurable: true, value: all[key] }),
      get: (_, key) => all[key],
    },
  );
};
const got = <T extends object>(target: T, times: number): T => {
  return Object.defineProperty(target, 'headers', {
    enumerable: true,
    configurable: true,
    get: turningAfter(times),
  });
};
const error = (headers: Record<string, string>) => new HostError('no', 'No', { status: 400, headers });
const thrown = (error: HostError): never => {
  throw error;
};
/** Answers and errors whose headers change after they have been read `times` times. */
const ANSWERS: Readonly<Record<string, (times: number) => unknown>> = {
  proxy: (times) => ({ headers: proxied(times), body: {} }),
  getter: (times) => got({ body: {} }, times),
  stream: () => ({ [Symbol.asyncIterator]: () => ({}), headers: EVIL, body: {} }),
  'thrown proxy': (times) => thrown(error(proxied(times))),
  'thrown getter': (times) => thrown(got(error({}), times)),
  'thrown by a proxy': (times) => {
    const headersAtRead = turningAfter(times);
    return thrown(
      new Proxy(error({}), {
        get: (target, key) => (key === 'headers' ? headersAtRead() : Reflect.get(target, key)),
      }),
    );
  },
  'thrown and frozen': (times) => thrown(Object.freeze(error(proxied(times)))),
  'thrown and changed': () => {
    const changing = error({ ...GOOD });
    const { headers } = changing;
    queueMicrotask(() =>
      setImmediate(() => {
        Object.assign(headers, EVIL);
        Reflect.set(changing, 'headers', EVIL);
      }),
    );
    return thrown(changing);
  },
};
export default {
  name: 'turning',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'turning',
      routes: { answer: { method: 'POST', path: '/answer', body: {} } },
      open: () => ({
        create: () => ({
          answer: async ({ body }) => {
            const { kind, times } = body as { readonly kind: string; readonly times: number };
            return ANSWERS[kind]?.(times) as ResourceResponse;
          },
        }),
      }),
    }),
  ],
};
