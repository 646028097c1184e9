/**
 * The source of a plugin with steps that ask for a PIN, which is always 2468. `{id}` checks it for the login's user,
 * `{id}-named` for the user whose name is also typed. A wrong PIN counts for brute-force detection. `later` is an error
 * that does not count, `stop` ends the login, and `twice` also makes the host verify a wrong password.
 */
export const pinStep = (id: string) => `import { Authenticator, provide } from '@keyhost/spi';
const ask = (more = {}) => ({ outcome: 'challenge', ...more, page: { page: 'form', title: { key: 'PIN' }, submit: { key: 'doContinue' },
  fields: [{ name: 'pin', type: 'password', label: { key: 'PIN' } }] } });
const wrong = { error: 'wrong_pin', message: { key: 'That PIN is wrong.' } };
const judge = async ({ credentials }, user, pin) => {
  if (pin === '2468') return { outcome: 'success', userId: user?.id };
  if (pin === 'later') return ask({ error: 'expired_code', message: { key: 'Once more.' } });
  if (pin === 'stop') return { outcome: 'failure', ...wrong, userId: user?.id };
  if (pin === 'twice') await credentials.verify(user.id, { type: 'password', value: 'wrong' });
  return ask({ ...wrong, userId: user?.id });
};
const describe = { displayName: 'PIN', helpText: '', proves: true };
const countsForBruteForce = ['wrong_pin'];
export default { name: '${id}', api: 1, providers: [
  provide(Authenticator, { id: '${id}', describe, countsForBruteForce, open: () => ({ create: (session) => ({
    async authenticate({ user, form }) {
      if (form !== undefined) return judge(session, user, form.pin);
      return user ? ask() : { outcome: 'attempted' };
    },
    action: ({ user }, { pin }) => judge(session, user, pin),
  }) }) }),
  provide(Authenticator, { id: '${id}-named', describe, countsForBruteForce, open: () => ({ create: (session) => ({
    authenticate: async () => ask(),
    action: async (_, { name, pin }) => judge(session, await session.users.byUsername(name), pin),
  }) }) }),
] };`;
