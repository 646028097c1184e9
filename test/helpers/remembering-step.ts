/**
 * A step `remembers` that identifies the remembered user, and asks others for their name. It shows what it reads from
 * the browser.
 */
export const rememberingStep = (name: string) => `import { Authenticator, provide } from '@keyhost/spi';
const page = (told) => ({ outcome: 'challenge', page: { page: 'form', title: { key: 'Who' }, submit: { key: 'doContinue' },
  text: { key: JSON.stringify(told) }, fields: [{ name: 'username', type: 'text', label: { key: 'username' } }] } });
const step = (id, day) => provide(Authenticator, { id, describe: { displayName: id, helpText: '', proves: true },
  headers: ['x-device'], cookies: { who: { maxAge: day }, visits: { maxAge: 60 } },
  open: () => ({ create: ({ users }) => ({
    authenticate: async ({ cookies, headers, userAgent }) => {
      const user = cookies.who && await users.byUsername(cookies.who);
      return user ? { outcome: 'success', userId: user.id } : { ...page({ cookies, headers, userAgent }), cookies: { visits: '1' } };
    },
    action: async (context, { username }) => {
      if (username === 'forget') return { ...page({}), cookies: { visits: null } };
      if (username === 'other') return { ...page({}), cookies: { other: 'x' } };
      if (username === 'long') return { ...page({}), cookies: { who: 'x'.repeat(1001) } };
      const user = await users.byUsername(username);
      return { outcome: 'success', userId: user.id, cookies: { who: username } };
    },
  }) }) });
export default { name: '@test/${name}', api: 1, providers: [step('${name}', 86400), step('${name}-too', 86400)] };`;
