/**
 * The source of a plugin whose resource, of the same name, answers as a test requests. `POST /answer` returns the `{
 * status, headers, text }` of its body, `GET /document?type=…&text=…` that text. Its handler for action tokens of that
 * type answers by the token's claims. With `throws`, it throws an error with these headers instead. So does its
 * creation with `creation` in the realm's configuration.
 */
export function answeringPlugin(name: string): string {
  return `import { ActionTokenHandler, HostError, provide, RealmResourceProvider, Theme } from '@keyhost/spi';
const bytes = (text) => (text === undefined ? undefined : new TextEncoder().encode(text));
const answer = ({ status, headers, text, throws }) => {
  if (throws) throw new HostError('no', 'No', { status: 400, headers });
  return { status, headers, body: bytes(text) };
};
export default { name: '${name}', api: 1, providers: [
  provide(RealmResourceProvider, { id: '${name}', realmConfig: { type: 'object', properties: { creation: { type: 'object' } } }, routes: {
    answer: { method: 'POST', path: '/answer', body: {} },
    document: { method: 'GET', path: '/document' },
    issue: { method: 'POST', path: '/issue', body: {} },
    open: { method: 'GET', path: '/open', cors: 'any' },
  }, open: () => ({ create: (session, { creation }) => (creation && answer({ throws: true, headers: creation })) ?? ({
    answer: async ({ body }) => answer(body),
    open: async () => ({ body: {} }),
    document: async ({ query: { type: [type] = [], policy: [policy] = [], text: [text = ''] = [] } }) => ({
      headers: { ...(type && { 'content-type': type }), ...(policy && { 'content-security-policy': policy }) },
      body: bytes(text),
    }),
    issue: async ({ body }) => {
      const { link } = await session.actionTokens.issue({ type: '${name}', userId: body.userId, claims: { answer: body.answer } });
      return { body: { link } };
    },
  }) }) }),
  provide(ActionTokenHandler, { id: '${name}', eventType: 'EXECUTE_ACTION_TOKEN', defaultError: 'x', defaultMessage: 'x',
    open: () => ({ create: () => ({ handle: async ({ claims }) => answer(claims.answer) }) }) }),
  provide(Theme, { id: '${name}', open: () => ({ create: () => ({
    render: async (page) => (page.page === 'login'
      ? '<!doctype html><title>theme</title><p>theme</p><script src="../../../${name}/document?type=text/javascript&amp;text=document.title=%27ran%27"></script>'
      : undefined),
  }) }) }),
] };`;
}

/** The realm's configuration for the plugin. */
export function answering(name: string) {
  return {
    'realm-restapi-extension': { [name]: { enabled: true } },
    'action-token-handler': { [name]: { enabled: true } },
  };
}
