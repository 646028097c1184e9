import { type Answer, fetchAnswer, type TestHost } from './host.js';

/** The result of calling a session's member: its value, or the error's fields. */
export interface Stewarded {
  readonly value?: never;
  readonly error?: { readonly code: string; readonly status: number; readonly message: string };
}

/**
 * The source of a plugin that calls its session as a test requests: `POST /realms/{realm}/{name}` with `[member,
 * method, …arguments]`, such as `["users", "count"]`. An argument `{ $source }` is evaluated as JavaScript in the
 * plugin.
 * @param needs the plugin's rights
 * @param more the source of further providers
 */
export function scriptedPlugin(name: string, needs: Readonly<Record<string, string>> | undefined, more = ''): string {
  return `import { AdminPage, EventListener, provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: '${name}', api: 1, ${needs === undefined ? '' : `needs: ${JSON.stringify(needs)},`} providers: [
  provide(RealmResourceProvider, {
    id: '${name}',
    routes: {
      call: { method: 'POST', path: '/', authentication: 'none', consumes: 'application/json' },
      bare: { method: 'POST', path: '/bare', authentication: 'none', consumes: 'application/json' },
    },
    open: () => ({ create: (session) => {
      const given = (argument) =>
        typeof argument?.$source === 'string' ? new Function('return ' + argument.$source)() : argument;
      const call = ([member, method, ...args]) => session[member][method](...args.map(given));
      return {
        async bare({ body }) { return { body: { value: await call(body) } }; },
        async call({ body }) {
          try {
            const value = await call(body);
            return { body: { value } };
          } catch ({ code, status, message }) {
            return { body: { error: { code, status, message } } };
          }
        },
      };
    } }),
  }),
  ${more}
] };`;
}

/** Makes the plugin call its session in a realm. */
export async function ask(host: TestHost, realm: string, name: string, ...call: unknown[]): Promise<Stewarded> {
  const { json, text, status } = await posted(host, realm, name, call);
  if (status !== 200) throw new Error(`${name} answered ${status}: ${text}`);
  return json as Stewarded;
}

/** The same, but the plugin does not catch errors. */
export function askBarely(host: TestHost, realm: string, name: string, ...call: unknown[]): Promise<Answer> {
  return posted(host, realm, `${name}/bare`, call);
}

function posted(host: TestHost, realm: string, path: string, call: unknown[]): Promise<Answer> {
  return fetchAnswer(`${host.realm(realm)}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
}
