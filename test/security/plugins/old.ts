import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  provide,
  type StepPage,
} from '@keyhost/spi';

const page: StepPage = { page: 'form', title: { key: 'Wait' }, fields: [], submit: { key: 'doContinue' } };
/** A step of the time when the context had `proven`. */
const step = {
  authenticate: async (context: AuthenticationContext): Promise<AuthenticationStep> =>
    (context as { readonly proven?: boolean }).proven ? { outcome: 'success' } : { outcome: 'challenge', page },
};
export default {
  name: 'old',
  api: 1,
  providers: ['old', 'old-apart'].map((id) =>
    provide(Authenticator, {
      id,
      describe: { displayName: 'Old', helpText: '', proves: true },
      open: () => ({ create: () => step }),
    }),
  ),
};
